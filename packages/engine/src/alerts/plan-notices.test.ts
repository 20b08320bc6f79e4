import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GROUP_MS, planNotices, type Notice } from './plan-notices.ts'
import { quietUntil, type QuietTime } from './quiet-time.ts'

const at = (text: string) => Date.parse(`${text}Z`)
const none: QuietTime = { hours: null, hasWeekends: false }
const nights: QuietTime = { hours: { fromMinute: 20 * 60, toMinute: 7 * 60 }, hasWeekends: true }

test.each([
  { name: 'a working hour', now: '2026-11-18T12:00', until: null },
  { name: 'the evening', now: '2026-11-18T20:00', until: '2026-11-19T07:00' },
  { name: 'the early morning', now: '2026-11-18T06:59', until: '2026-11-18T07:00' },
  { name: 'Friday evening, with the weekend and the next night', now: '2026-11-20T21:00', until: '2026-11-23T07:00' },
  { name: 'Sunday', now: '2026-11-22T10:00', until: '2026-11-23T07:00' },
])('quiet time: $name', ({ now, until }) => {
  expect(quietUntil(at(now), nights)).toBe(until === null ? null : at(until))
})

test('quiet hours within a day, and quiet hours that are empty', () => {
  const noon: QuietTime = { hours: { fromMinute: 720, toMinute: 780 }, hasWeekends: false }
  expect(quietUntil(at('2026-11-18T12:30'), noon)).toBe(at('2026-11-18T13:00'))
  expect(
    quietUntil(at('2026-11-18T12:30'), { hours: { fromMinute: 720, toMinute: 720 }, hasWeekends: false }),
  ).toBeNull()
})

const now = at('2026-11-18T12:00')
const aNotice = (changes: Partial<Notice> = {}): Notice => ({
  dueAt: now,
  isUrgent: false,
  isEnd: false,
  snoozedUntil: null,
  ...changes,
})
const situation = { now, quiet: none, isGrouped: true, lastGroupAt: null }

test('a due notice takes later notices of the channel along', () => {
  const [due, young] = [aNotice(), aNotice({ dueAt: now + 240_000 })]
  expect(planNotices([due, young], situation)).toEqual({ alone: [], group: [due, young], held: [] })
  expect(planNotices([young], situation)).toEqual({ alone: [], group: [], held: [] })
})

test('within an hour after a group only urgent notices are sent', () => {
  const [urgent, other] = [aNotice({ isUrgent: true }), aNotice()]
  const lastGroupAt = now - 60_000
  expect(planNotices([urgent, other], { ...situation, lastGroupAt })).toEqual({
    alone: [urgent],
    group: [],
    held: [{ notice: other, until: lastGroupAt + GROUP_MS, reason: 'grouped' }],
  })
})

test('a snoozed alert is held until the snooze ends, and its end is sent', () => {
  const snoozedUntil = now + 1_000
  const [firing, end] = [aNotice({ snoozedUntil, isUrgent: true }), aNotice({ snoozedUntil, isEnd: true })]
  expect(planNotices([firing, end], situation)).toMatchObject({
    group: [end],
    held: [{ notice: firing, reason: 'snoozed' }],
  })
})

test('a channel for programs gets each notice as a separate message', () => {
  const notices = [aNotice(), aNotice(), aNotice({ dueAt: now + 1 })]
  expect(planNotices(notices, { ...situation, isGrouped: false })).toEqual({
    alone: notices.slice(0, 2),
    group: [],
    held: [],
  })
})

test('every notice is sent, held or not yet due, exactly once', () => {
  const notice = fc.record({
    dueAt: fc.integer({ min: now - 9e6, max: now + 9e6 }),
    isUrgent: fc.boolean(),
    isEnd: fc.boolean(),
    snoozedUntil: fc.option(fc.integer({ min: now - 9e6, max: now + 9e6 })),
  })
  const options = fc.record({
    now: fc.integer({ min: now, max: now + 7 * 86_400_000 }),
    quiet: fc.constantFrom(none, nights),
    isGrouped: fc.boolean(),
    lastGroupAt: fc.option(fc.integer({ min: now - 9e6, max: now })),
  })
  fc.assert(
    fc.property(fc.array(notice, { maxLength: 12 }), options, (notices, input) => {
      const { alone, group, held } = planNotices(notices, input)
      const placed = [...alone, ...group, ...held.map((each) => each.notice)]
      expect(new Set(placed).size).toBe(placed.length)
      for (const each of notices) expect(placed.includes(each) || each.dueAt > input.now).toBe(true)
      for (const { until } of held) expect(until).toBeGreaterThan(input.now)
    }),
  )
})
