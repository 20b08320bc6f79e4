import type { Evidence } from '@plimsoll/contract'
import { countTenths, days, number } from '../../format/quantity.ts'

export type Candidate = Evidence['candidates'][number]

/** A candidate with its index in the evidence; the proposal has none. */
export type Placed = Candidate & { place: number | null }

export type Resource = 'cpu_millicores' | 'memory_bytes'

/**
 * The positions of a slider, smallest first: one request varies, the other stays as proposed. The proposal is one of them, with
 * the result of the replay and the savings of the recommendation.
 */
export function sweepOf({ candidates, backtest }: Evidence, savings: number, resource: Resource): Placed[] {
  const proposed = backtest.results.find(({ who }) => who === 'proposed')
  if (!proposed) return []
  const { who: _who, risk: _risk, estimated_savings: _alone, ...outcome } = proposed
  const other = resource === 'cpu_millicores' ? 'memory_bytes' : 'cpu_millicores'
  return candidates
    .map((candidate, place): Placed => ({ ...candidate, place }))
    .filter((each) => each[other] === outcome[other] && each[resource] !== outcome[resource])
    .concat({ ...outcome, estimated_savings: savings, place: null })
    .sort((a, b) => (a[resource] ?? 0) - (b[resource] ?? 0))
}

type ShortageEvidence = Pick<Evidence, 'window' | 'demand'>

/** The shortage of the request that the slider changes. */
export function shortageWords(candidate: Candidate, resource: Resource, evidence: ShortageEvidence): string {
  const { window, demand } = evidence
  // A throttled container would have used more, so the minutes are a lower bound.
  const least = demand?.unknown_above_limit.cpu ? 'at least ' : ''
  const when = window ? ` in ${days(window.hours)}` : ''
  return resource === 'cpu_millicores'
    ? `short of CPU: ${least}${number(candidate.minutes_short)} min${when}`
    : `short of memory: ${countTenths(candidate.oom_days, 'day')}${window ? ` of ${days(window.hours)}` : ''}`
}
