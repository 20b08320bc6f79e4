// A fleet as the parts that incidents know: the whole, its teams and their workloads, with the score of every day.
import type { Decimal } from '../../packages/engine/src/index.ts'
import {
  findThreshold,
  partTree,
  scorePart,
  type PartScore,
  type PartTree,
} from '../../packages/engine/src/incidents/index.ts'
import { mean, sum, toDays, toUsd } from './money.ts'
import type { WorkloadSeries } from './read-series.ts'

export const TOTAL = 'total'

export type Values = readonly number[]

export type Fleet = {
  readonly name: string
  readonly first: number
  readonly length: number
  readonly tree: PartTree
  readonly values: ReadonlyMap<string, Values>
  readonly workloads: readonly string[]
}

const teamKey = (team: string) => `team ${team}`
const workloadKey = ({ team, workload }: WorkloadSeries) => `${team}/${workload}`

/** A fleet begins on its first day with a tenth of its mean cost. */
function firstBusyDay(all: readonly WorkloadSeries[]): number {
  const days = Math.min(...all.map(({ values }) => values.length))
  const total = Array.from({ length: days }, (_, day) => sum(all.map(({ values }) => values[day] ?? 0)))
  return total.findIndex((usd) => usd >= mean(total) / 10)
}

export function makeFleet(name: string, recorded: readonly WorkloadSeries[]): Fleet {
  const start = firstBusyDay(recorded)
  const all = recorded.map((each) => ({ ...each, first: each.first + start, values: each.values.slice(start) }))
  const length = Math.min(...all.map(({ values }) => values.length))
  const sums = new Map<string, number[]>()
  const add = (key: string, values: Values) => {
    const own = sums.get(key) ?? Array.from({ length }, () => 0)
    sums.set(
      key,
      own.map((value, day) => value + (values[day] ?? 0)),
    )
  }
  for (const each of all) for (const key of [TOTAL, teamKey(each.team), workloadKey(each)]) add(key, each.values)
  const teams = [...new Set(all.map(({ team }) => team))]
  const tree = partTree([
    { key: TOTAL, level: 'cluster', parents: [] },
    ...teams.map((team) => ({ key: teamKey(team), level: 'team' as const, parents: [TOTAL] })),
    ...all.map((each) => ({ key: workloadKey(each), level: 'workload' as const, parents: [teamKey(each.team)] })),
  ])
  return { name, first: all[0]?.first ?? 0, length, tree, values: sums, workloads: all.map(workloadKey) }
}

/** The score of one part on the days `from` ≤ day < `to`. */
export function scoresOf(values: Values, { first }: Fleet, from: number, to: number): PartScore[] {
  const days = toDays(first, values)
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => {
    const at = from + index
    const asOf = { day: first + at, hours: 24 }
    return scorePart({ days }, asOf, { usd: toUsd(values[at] ?? 0), knownHours: 24 })
  })
}

/** The scores of all parts for each day of the fleet. */
export type DailyScores = readonly ReadonlyMap<string, PartScore>[]

export function dailyScores(fleet: Fleet): DailyScores {
  const byDay = Array.from({ length: fleet.length }, () => new Map<string, PartScore>())
  for (const [key, values] of fleet.values) {
    scoresOf(values, fleet, 0, fleet.length).forEach((score, day) => byDay[day]?.set(key, score))
  }
  return byDay
}

const PAST_DAYS = 60
const PAST_DAYS_MIN = 28
const WEEK = 7

/** The first day with 28 days of scores, which need 28 days of costs. */
export const FIRST_JUDGED = 28 + PAST_DAYS_MIN

/** The threshold of each day from `FIRST_JUDGED` on. It is computed again each week from the last 60 days. */
export function weeklyThresholds(fleet: Fleet, scores: DailyScores, alertsPer30Days: number): Decimal[] {
  const thresholds: Decimal[] = []
  let threshold = 0n
  for (let day = FIRST_JUDGED; day < fleet.length; day += 1) {
    if ((day - FIRST_JUDGED) % WEEK === 0) {
      const from = Math.max(28, day - PAST_DAYS)
      const past = scores.slice(from, day).map((each, index) => ({ hour: (from + index) * 24, scores: each }))
      const usdPerDay = toUsd(mean((fleet.values.get(TOTAL) ?? []).slice(from, day)))
      threshold = findThreshold({ tree: fleet.tree, past, alertsPer30Days, usdPerDay })
    }
    thresholds[day] = threshold
  }
  return thresholds
}
