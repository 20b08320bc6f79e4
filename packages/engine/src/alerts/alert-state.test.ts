import fc from 'fast-check'
import { expect, test } from 'vitest'
import { advanceAlert, type AlertLife, type AlertObservation, type AlertTransition } from './alert-state.ts'

const hour = 3_600_000
const timing = { forMs: 2 * hour, holdMs: 3 * hour }

type Sent = { at: number; transition: AlertTransition }

/** The messages of a series of observations, in the order given. */
function replay(observations: readonly AlertObservation[], times = timing): { sent: Sent[]; life: AlertLife | null } {
  let life: AlertLife | null = null
  const sent: Sent[] = []
  for (const each of observations) {
    const step = advanceAlert(life, each, times)
    life = step.life
    if (step.transition) sent.push({ at: each.at, transition: step.transition })
  }
  return { sent, life }
}

const hourly = (text: string): AlertObservation[] =>
  [...text].map((each, at) => ({ at: at * hour, isTrue: each === '?' ? null : each === '1' }))

test.each([
  { name: 'fires after the wait', hours: '111', sent: [[2, 'firing']] },
  { name: 'is gone if the condition turns false during the wait', hours: '11011', sent: [] },
  {
    name: 'is resolved after the hold',
    hours: '1110000',
    sent: [
      [2, 'firing'],
      [6, 'resolved'],
    ],
  },
  { name: 'stays while the condition is false for less than the hold', hours: '1110001000', sent: [[2, 'firing']] },
  { name: 'is not resolved by missing data', hours: '111????????', sent: [[2, 'firing']] },
  { name: 'starts the hold again after a gap', hours: '11100?000', sent: [[2, 'firing']] },
  { name: 'starts the wait again after a gap', hours: '11?11', sent: [] },
  { name: 'does not fire by missing data', hours: '1?????', sent: [] },
  {
    name: 'fires again after it was resolved',
    hours: '1110000111',
    sent: [
      [2, 'firing'],
      [6, 'resolved'],
      [9, 'firing'],
    ],
  },
])('an alert $name', ({ hours, sent }) => {
  expect(replay(hourly(hours)).sent).toEqual(sent.map(([at, transition]) => ({ at: Number(at) * hour, transition })))
})

test('an alert without a wait fires at once', () => {
  expect(replay(hourly('01'), { forMs: 0, holdMs: 0 }).sent).toEqual([{ at: hour, transition: 'firing' }])
})

const seen = fc
  .array(fc.constantFrom('0', '1', '?'), { minLength: 1, maxLength: 40 })
  .map((all) => hourly(all.join('')))

/** Written from the definition: an alert changes after an uninterrupted run of observations. */
function expectedSent(observations: readonly AlertObservation[]): Sent[] {
  const sent: Sent[] = []
  observations.forEach(({ at, isTrue }, index) => {
    const isFiring = sent.at(-1)?.transition === 'firing'
    if (isTrue === null || isTrue === isFiring) return
    const run = observations.slice(0, index + 1).findLastIndex((each) => each.isTrue !== isTrue) + 1
    const sinceMs = at - (observations[run]?.at ?? at)
    const neededMs = isTrue ? timing.forMs : timing.holdMs
    if (sinceMs >= neededMs) sent.push({ at, transition: isTrue ? 'firing' : 'resolved' })
  })
  return sent
}

test('messages alternate, and follow only runs of the whole wait or hold', () => {
  fc.assert(
    fc.property(seen, (observations) => {
      expect(replay(observations).sent).toEqual(expectedSent(observations))
    }),
  )
})

test('replayed hours open no second alert and write no second message', () => {
  const withReplays = seen.chain((observations) =>
    fc.record({
      observations: fc.constant(observations),
      repeats: fc.array(fc.tuple(fc.nat(observations.length - 1), fc.nat(observations.length - 1)), { maxLength: 30 }),
    }),
  )
  fc.assert(
    fc.property(withReplays, ({ observations, repeats }) => {
      const replayed = observations.flatMap((each, index) => [
        each,
        ...repeats
          .filter(([after, old]) => after === index && old <= index)
          .flatMap(([, old]) => observations[old] ?? []),
      ])
      expect(replay(replayed)).toEqual(replay(observations))
    }),
  )
})

test('late data that turns a condition false resolves the alert, and keeps the message', () => {
  const before = replay(hourly('1111'))
  const after = replay([...hourly('1111'), ...[4, 5, 6, 7].map((at) => ({ at: at * hour, isTrue: false }))])
  expect(after.sent).toEqual([...before.sent, { at: 7 * hour, transition: 'resolved' }])
})
