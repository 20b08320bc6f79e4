import type { Evidence } from '@plimsoll/contract'
import { count, countTenths } from '../../format/quantity.ts'

export type Candidate = Evidence['candidates'][number]

/** A candidate with its place in the evidence; the proposal itself has none. */
export type Placed = Candidate & { place: number | null }

export type Resource = 'cpu_millicores' | 'memory_bytes'

/**
 * What a slider goes through: one of the two changes, the other stays as proposed; smallest first. The proposal lies between
 * the candidates, with what the back-test says of it and the saving of the recommendation.
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

/** What a slider's own request would have been short of: the other's shortage is not its doing. */
export const shortageWords = ({ minutes_short: minutes, oom_days: days }: Candidate, resource: Resource) =>
  resource === 'cpu_millicores'
    ? `too little CPU for ${count(minutes, 'minute')}`
    : `too little memory on ${countTenths(days, 'day')}`
