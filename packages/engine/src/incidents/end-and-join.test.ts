import { expect, test } from 'vitest'
import { usd } from '../forecast/builders.ts'
import { anHour, someTree } from './builders.ts'
import type { Fact } from './facts.ts'
import { replayIncidents, type Evaluation } from './incident.ts'

const replay = (...evaluations: Evaluation[]) => replayIncidents(someTree(), evaluations)
const kindsOf = ({ events }: ReturnType<typeof replay>) => events.map(({ kind, hour }) => `${kind} ${hour}`)
const day = 24

const factOf = (part: string, usdPerDay: number): Fact => ({
  ...{ part, kind: 'request', detail: 'cpu', usdPerDay: usd(usdPerDay), isShift: false },
})

/** A rise of $7 an hour from hour 0 on: the trailing 24 hours hold it after a day. */
const ramp = (hours: number, excessOf: (hour: number) => number) =>
  Array.from({ length: hours }, (_, hour) =>
    anHour(hour, { web: excessOf(hour) }, hour === 0 ? { facts: [factOf('web', 168)] } : {}),
  )

test('an incident of a fact stays open while the trailing 24 hours fill', () => {
  const log = replay(...ramp(3 * day, (hour) => Math.min(7 * (hour + 1), 168)))
  expect(kindsOf(log)).toEqual(['opened 0'])
  expect(log.incidents).toMatchObject([{ part: 'web', endedAt: null, peakUsd: usd(168) }])
})

test('an incident of a fact whose cost drops again ends after 24 hours', () => {
  expect(kindsOf(replay(...ramp(3 * day, () => 7)))).toEqual(['opened 0', 'ended 24'])
})

test('a fact that opens an ended incident again keeps it open for 24 hours', () => {
  const again = anHour(2 * day, { web: 7 }, { facts: [factOf('web', 140)] })
  const later = [1, 23, 24].map((hours) => anHour(2 * day + hours, { web: 10 }))
  const log = replay(anHour(0, { web: 150 }), anHour(day, { web: 0 }), again, ...later)
  expect(kindsOf(log)).toEqual(['opened 0', 'ended 24', 'ended 72'])
})

test('a large rise above an ended incident is a separate incident', () => {
  const log = replay(anHour(0, { web: 110 }), anHour(day, {}), anHour(2 * day, { cart: 500, db: 500 }))
  expect(log.incidents).toMatchObject([
    { part: 'web', endedAt: day, peakUsd: usd(110), joined: [] },
    { part: 'prod', openedAt: 2 * day, peakUsd: usd(1000) },
  ])
  expect(kindsOf(log)).toEqual(['opened 0', 'ended 24', 'opened 48'])
})

test('a large rise that joins is sent on its first day too, and not again while the trailing 24 hours fill', () => {
  const risen = (hour: number, each: number) => anHour(hour, { web: 110, cart: each, db: each })
  const log = replay(anHour(0, { web: 110 }), risen(3, 70), risen(5, 100), risen(6, 150), risen(20, 500))
  expect(kindsOf(log)).toEqual(['opened 0', 'grew 5'])
  expect(log.incidents).toMatchObject([
    { part: 'web', peakUsd: usd(110), announcedUsd: usd(110), joined: [{ part: 'prod' }] },
  ])
  const doubled = replay(anHour(0, { web: 110 }), risen(5, 100), risen(29, 150), risen(54, 149))
  expect(kindsOf(doubled)).toEqual(['opened 0', 'grew 5', 'grew 29'])
})

test('a part that joined opens no incident of its own after seven days, and its growth by half is sent', () => {
  const both = (hour: number, each: number) => anHour(hour, { web: 110, cart: each, db: each })
  const steady = replay(anHour(0, { web: 110 }), both(2 * day, 60), both(6 * day, 60), both(9 * day, 60))
  expect(kindsOf(steady)).toEqual(['opened 0'])
  expect(steady.incidents).toMatchObject([{ part: 'web', joined: [{ part: 'prod' }] }])
  const grown = replay(anHour(0, { web: 110 }), both(2 * day, 60), both(9 * day, 120))
  expect(kindsOf(grown)).toEqual(['opened 0', 'grew 216'])
})

test('an incident that returns half larger is sent', () => {
  const back = (hour: number, excess: number) =>
    replay(anHour(0, { web: 110 }), anHour(1, {}), anHour(hour, { web: excess }))
  expect(kindsOf(back(5, 164))).toEqual(['opened 0', 'ended 1'])
  expect(kindsOf(back(5, 165))).toEqual(['opened 0', 'ended 1', 'grew 5'])
  expect(kindsOf(back(50, 165))).toEqual(['opened 0', 'ended 1', 'grew 50'])
})
