import { expect, test } from 'vitest'
import { ONE, type Decimal } from '../decimal.ts'
import { dayOf, repeated, someDays, usd } from '../forecast/builders.ts'
import { weekdayOf, type AsOf, type DayCost } from '../forecast/day-cost.ts'
import type { AcceptedStep } from '../forecast/fit-forecast.ts'
import { acceptedSteps, acceptIncident, type RecentCost } from './accept.ts'
import { anHour, LOWEST, someTree, THRESHOLD } from './builders.ts'
import { advanceIncidents, EMPTY_LOG, replayIncidents } from './incident.ts'
import { partsBelow } from './part-tree.ts'
import { scorePart, type TrailingCost } from './score.ts'

const tree = someTree()
const replay = (...evaluations: Parameters<typeof replayIncidents>[1]) => replayIncidents(tree, evaluations)

test('an accepted incident ends, and a later excess is another incident', () => {
  const accepted = acceptIncident(replay(anHour(0, { web: 150 })), '0/web', 1)
  expect(accepted).toMatchObject({ incidents: [{ endedAt: 1, isAccepted: true }], events: [{}, { kind: 'ended' }] })
  expect(acceptIncident(accepted, '0/web', 2)).toBe(accepted)
  expect(advanceIncidents(tree, accepted, anHour(2, { web: 150 })).incidents).toHaveLength(2)
})

test('an accepted fact that is reported again opens nothing, unless it is half more', () => {
  const fact = { part: 'web', kind: 'request' as const, detail: 'cpu', usdPerDay: usd(168), isShift: false }
  const accepted = acceptIncident(replay(anHour(0, { web: 7 }, { facts: [fact] })), '0/web', 1)
  const later = (usdPerDay: number) => anHour(2, { web: 0 }, { facts: [{ ...fact, usdPerDay: usd(usdPerDay) }] })
  expect(advanceIncidents(tree, accepted, later(168)).events).toHaveLength(2)
  expect(advanceIncidents(tree, accepted, later(252)).events).toHaveLength(3)
})

test('an accepted step raises the level of the part and of all parts above it', () => {
  const first = dayOf('2026-06-01')
  const histories = new Map([
    ['web', { days: someDays(first, repeated(100, 30)) }],
    ['all', { days: someDays(first, repeated(900, 30)) }],
    ['etl', { days: someDays(first, repeated(50, 30)) }],
  ])
  const at = { day: first + 30, hours: 6 }
  // The trailing 24 hours hold 5 hours of the rise, and the last hours cost up to 6.5 × 24 = 156.
  const trailing = { usd: usd(112.5), knownHours: 24 }
  const costs = new Map([['web', { trailing, lastHours: [usd(4), usd(5), usd(6.5)] }]])
  expect([...acceptedSteps(tree, histories, { part: 'web', at, costs })]).toEqual([
    ['web', { at, usdPerDay: usd(156) }],
    ['all', { at, usdPerDay: usd(956) }],
  ])
})

type Rise = { readonly fromHour: number; readonly usdPerHour: Readonly<Record<string, number>> }

const FIRST = dayOf('2026-06-01')

const LOWEST_IN = new Map(
  [...tree.parts.keys()].map((part) => [
    part,
    LOWEST.filter((key) => key === part || partsBelow(tree, part).has(key)) as readonly string[],
  ]),
)

/** Each lowest part costs $1 an hour, a third less at weekends, and the rise. */
function costOf(part: string, { fromHour, usdPerHour }: Rise, hour: number): Decimal {
  const isWeekend = [0, 6].includes(weekdayOf(FIRST + Math.floor(hour / 24)))
  const lowest = LOWEST_IN.get(part) ?? []
  const risen = hour < fromHour ? 0 : lowest.reduce((sum, key) => sum + (usdPerHour[key] ?? 0), 0)
  return (BigInt(lowest.length * (isWeekend ? 66 : 100) + 100 * risen) * ONE) / 100n
}

function lastHours(part: string, rise: Rise, end: number, count: number): TrailingCost {
  const hours = Array.from({ length: count }, (_, index) => end - count + index)
  return { usd: hours.reduce((total, hour) => total + costOf(part, rise, hour), 0n), knownHours: count }
}

const parts = [...tree.parts.keys()]

/** Accepts the first incident `wait` hours after its opening. The messages until the end of the day after the next. */
function messagesAfterAccept(rise: Rise, wait: number): { readonly part: string; readonly messages: string[] } {
  const daysOf = new Map(parts.map((part): [string, DayCost[]] => [part, []]))
  let steps: ReadonlyMap<string, AcceptedStep> = new Map()
  let log = EMPTY_LOG
  let accepted: { readonly part: string; readonly day: number; readonly count: number } | undefined
  for (let end = 1; ; end += 1) {
    const asOf: AsOf = { day: FIRST + Math.floor(end / 24), hours: end % 24 }
    if (accepted && asOf.day > accepted.day + 2) {
      return { part: accepted.part, messages: log.events.slice(accepted.count).map(({ kind, id }) => `${kind} ${id}`) }
    }
    if (asOf.hours === 0) {
      for (const [part, days] of daysOf) days.push({ day: asOf.day - 1, ...lastHours(part, rise, end, 24) })
    }
    if (end <= rise.fromHour) continue
    const histories = new Map(
      [...daysOf].map(([part, days]) => {
        const step = steps.get(part)
        return [part, { days, ...(step && { step }) }]
      }),
    )
    const scores = new Map(
      [...histories].map(([part, history]) => [part, scorePart(history, asOf, lastHours(part, rise, end, 24))]),
    )
    log = advanceIncidents(tree, log, { hour: end, threshold: THRESHOLD, scores })
    const [incident] = log.incidents
    if (!incident || accepted || end < incident.openedAt + wait) continue
    const costs = new Map(
      parts.map((part): [string, RecentCost] => [
        part,
        {
          trailing: lastHours(part, rise, end, 24),
          lastHours: [3, 2, 1].map((back) => costOf(part, rise, end - back)),
        },
      ]),
    )
    steps = acceptedSteps(tree, histories, { part: incident.part, at: asOf, costs })
    log = acceptIncident(log, incident.id, end)
    accepted = { part: incident.part, day: asOf.day, count: log.events.length }
  }
}

const hourOf = (date: string, hours: number) => (dayOf(date) - FIRST) * 24 + hours

test.each([
  // 17 July 2026 is a Friday.
  { place: 'web', fromHour: hourOf('2026-07-15', 7), usdPerHour: { web: 20 }, waits: [0, 17, 70] },
  { place: 'web', fromHour: hourOf('2026-07-17', 15), usdPerHour: { web: 60 }, waits: [0, 24] },
  { place: 'prod', fromHour: hourOf('2026-07-18', 0), usdPerHour: { web: 8, etl: 8, db: 7 }, waits: [3, 23] },
])('no hour after an accepted rise of $place opens another incident', ({ place, waits, ...rise }) => {
  for (const wait of waits) expect(messagesAfterAccept(rise, wait)).toEqual({ part: place, messages: [] })
})
