import type { WorkloadPrice } from '../rules/facts/cluster-facts.ts'
import type { ContainerSpec } from '../rules/finding.ts'
import { HOURS_PER_MONTH, SECONDS_PER_DAY } from '../time.ts'
import { REGRESSIONS, type Regression, type Verification } from '../vocabulary/recommendations.ts'

const DAYS_AWAITED = 7

/** The share of the way that counts as done, and the share that counts as started. */
const DONE = 0.9
const BEGUN = 0.1

/** Per day; throttled is the share of periods, null: not known. */
export type Failures = { readonly oomKills: number; readonly restarts: number; readonly throttled: number | null }

export type AppliedChange = {
  readonly state: Verification
  /** Seconds since 1970. */
  readonly doneAt: number
  readonly now: number
  /** The progress of each changed value: 0 as before, 1 as recommended. Empty: not observed. */
  readonly ways: readonly number[]
  /** Null: not known and not checked. */
  readonly failures: { readonly before: Failures; readonly since: Failures } | null
}

/** The verification state of a change that a user reports as applied. */
export function verifyChange({ state, doneAt, now, ways, failures }: AppliedChange): Verification {
  if (ways.length === 0) return state === 'awaiting' && isOverdue(doneAt, now) ? 'not_observed' : state
  const isBegun = ways.some((way) => way >= BEGUN)
  if (isBegun && (state === 'regressed' || hasRegressed(failures))) return 'regressed'
  if (ways.every((way) => way >= DONE)) return 'verified'
  if (isBegun) return 'partial'
  if (hadBegun(state)) return 'reverted'
  return isOverdue(doneAt, now) ? 'not_observed' : 'awaiting'
}

const hadBegun = (state: Verification) => state !== 'awaiting' && state !== 'not_observed'

const isOverdue = (doneAt: number, now: number) => now - doneAt >= DAYS_AWAITED * SECONDS_PER_DAY

const hasRegressed = (failures: AppliedChange['failures']) => listRegressions(failures).length > 0

/** What rose after the change. Restarts: twice as many and at least one more per day, because a single restart proves nothing. */
export function listRegressions(failures: AppliedChange['failures']): Regression[] {
  if (failures === null) return []
  const { before, since } = failures
  const hasRisen: Record<Regression, boolean> = {
    oom_kills: since.oomKills > before.oomKills,
    restarts: since.restarts >= 2 * before.restarts && since.restarts - before.restarts >= 1,
    throttling: (since.throttled ?? 0) - (before.throttled ?? 1) >= 0.1,
  }
  return REGRESSIONS.filter((each) => hasRisen[each])
}

const words: Record<Regression, string> = {
  oom_kills: 'OOM kills',
  restarts: 'restarts',
  throttling: 'CPU throttling',
}

/** "Since the change, OOM kills and restarts rose." */
export const regressionWords = (risen: readonly Regression[]) =>
  `Since the change, ${risen.length === 0 ? 'failures' : risen.map((each) => words[each]).join(' and ')} rose.`

/** From the old value (0) to the recommended value (1); above 1 is further. */
export function wayGone(from: number | null, to: number | null, live: number | null): number {
  if (to === null || live === null) return live === to ? 1 : 0
  if (from === null || from === to) return 1
  return (live - from) / (to - from)
}

export type LiveTime = {
  readonly before: ContainerSpec
  readonly live: ContainerSpec
  readonly replicas: number
  readonly seconds: number
  readonly price: Pick<WorkloadPrice, 'cpuUsdPerMillicoreMonth' | 'memoryUsdPerKibMonth'>
}

/** The realized reduction while it lasted. Negative if the request grew. */
export function realisedUsd({ before, live, replicas, seconds, price }: LiveTime): number {
  const less = (name: keyof ContainerSpec) => (before[name] ?? 0) - (live[name] ?? 0)
  const usdPerMonth =
    less('cpuMillicores') * price.cpuUsdPerMillicoreMonth + less('memoryKib') * price.memoryUsdPerKibMonth
  return (usdPerMonth * replicas * seconds) / (HOURS_PER_MONTH * 3600)
}
