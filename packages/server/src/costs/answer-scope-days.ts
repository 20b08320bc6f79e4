import type { CostScope } from '@plimsoll/contract'
import { dayMs, formatDecimal, hourMs, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { ClusterName } from '../clusters/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { Problem } from '../platform/http/problem.ts'
import { loadTeamMapping } from '../settings/index.ts'
import { TooManyRows } from './too-many-rows.ts'
import { sumScopeDays } from './sum-scope-days.ts'

export type ScopeDaysRequest = {
  scope: CostScope
  share: boolean
  since: Date
  /** With the end of the last finalised hour. */
  clusters: readonly { cluster: ClusterName; end: Date }[]
}

/** Exact decimals, as text. */
export type ScopeDaysAnswer = {
  days: { day: number; usd: string }[]
  /** The cost of all days. */
  clusters: { id: string; usd: number }[]
  /** The last 24 hours. */
  matches: { workloads: number; usd_per_day: number }
}

type Limits = { signal?: AbortSignal; rowsReadMax?: number }

/** The daily cost of any scope from stored hours. */
export function answerScopeDays(db: Db, request: ScopeDaysRequest, limits: Limits = {}): Promise<ScopeDaysAnswer> {
  const { scope, share, since, clusters } = request
  return readAtOnce(db, async (tx) => {
    const rules = await loadTeamMapping(tx)
    const byDay = new Map<number, Decimal>()
    const answer: ScopeDaysAnswer = { days: [], clusters: [], matches: { workloads: 0, usd_per_day: 0 } }
    for (const { cluster, end } of clusters) {
      const window = { cluster, from: since, to: end, scopes: [{ scope, share }], rules }
      const days = await sumInParts(tx, window, limits)
      for (const [day, usd] of days) byDay.set(day, (byDay.get(day) ?? 0n) + usd)
      answer.clusters.push({ id: cluster.id, usd: roundToNumber(sumOf(days)) })
      const from = new Date(end.getTime() - 24 * hourMs)
      const last = await sumLastDay(tx, { ...window, from }, limits)
      answer.matches.workloads += last.workloads[0] ?? 0
      answer.matches.usd_per_day += roundToNumber(sumOf(last.usd[0] ?? new Map()))
    }
    answer.days = [...byDay].map(([day, usd]) => ({ day, usd: formatDecimal(usd) }))
    return answer
  })
}

const sumOf = (days: ReadonlyMap<number, Decimal>) => [...days.values()].reduce((sum, usd) => sum + usd, 0n)

type Window = Pick<Parameters<typeof sumScopeDays>[1], 'cluster' | 'from' | 'to' | 'scopes' | 'rules'>

/** A window with too many rows is read in halves, so that the rows of one half fit into the memory. */
async function sumInParts(tx: Db, window: Window, limits: Limits): Promise<ReadonlyMap<number, Decimal>> {
  limits.signal?.throwIfAborted()
  const { from, to } = window
  try {
    return (await sumScopeDays(tx, { ...window, rowsReadMax: limits.rowsReadMax })).usd[0] ?? new Map()
  } catch (error) {
    if (!(error instanceof TooManyRows)) throw error
    const middle = middleDay(from, to)
    if (!middle) throw tooManyGroups()
    const first = await sumInParts(tx, { ...window, to: middle }, limits)
    return new Map([...first, ...(await sumInParts(tx, { ...window, from: middle }, limits))])
  }
}

/** The start of a day between both. Undefined: the window lies in one day. */
export function middleDay(from: Date, to: Date): Date | undefined {
  const startOf = (ms: number) => Math.floor(ms / dayMs) * dayMs
  const middle = startOf((from.getTime() + to.getTime()) / 2)
  const best = middle > from.getTime() ? middle : startOf(from.getTime()) + dayMs
  return best < to.getTime() ? new Date(best) : undefined
}

/** Not in halves, because a workload of both would count twice. */
async function sumLastDay(tx: Db, window: Window, { rowsReadMax }: Limits) {
  try {
    return await sumScopeDays(tx, { ...window, countsWorkloads: true, rowsReadMax })
  } catch (error) {
    throw error instanceof TooManyRows ? tooManyGroups() : error
  }
}

const tooManyGroups = () =>
  new Problem(
    'invalid_parameter',
    'One day of this scope has too many workloads. Choose fewer clusters or namespaces.',
    {
      errors: [{ parameter: 'scope', code: 'too_many_rows', detail: 'one day has too many workloads' }],
    },
  )
