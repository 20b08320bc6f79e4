import { readEffectKey, type EffectSums } from '../changes/effect-key.ts'
import { divideRounded, type Decimal } from '../decimal.ts'
import { HOURS_PER_DAY } from '../forecast/day-cost.ts'
import { causeName, explains, type CauseName } from './find-causes.ts'
import type { EffectKind } from '../vocabulary/changes.ts'

/** A change that an hour shows with certainty, such as a higher request. It needs the threshold and no forecast. */
export type Fact = CauseName & { readonly part: string; readonly usdPerDay: Decimal; readonly isShift: boolean }

/** The split of a workload or of a whole cluster between two windows of the same known hours. */
export type FactLine = {
  readonly part: string
  readonly level: 'cluster' | 'workload'
  readonly effects: EffectSums
  readonly hours: number
  /** The differences of the whole cluster and of its idle cost between the same windows. */
  readonly clusterUsd: Decimal
  readonly idleUsd: Decimal
  /** An autoscaler sets the replicas, so more of them are usage and no fact. */
  readonly isAutoscaled: boolean
}

/** The prices of a cluster, and what a deployment changed in a workload. */
const FACT_KINDS: Record<FactLine['level'], readonly EffectKind[]> = {
  cluster: ['price'],
  workload: ['new', 'request', 'replicas', 'node_mix'],
}

/** One fact for each line with a rise. The largest effect names it. */
export function factsOf(lines: readonly FactLine[]): Fact[] {
  return lines.flatMap((line) => {
    const { part, level, effects, hours, isAutoscaled } = line
    const kinds = FACT_KINDS[level].filter((kind) => kind !== 'replicas' || !isAutoscaled)
    const certain: EffectSums = new Map([...effects].filter(([key]) => kinds.includes(readEffectKey(key).kind)))
    const usd = [...certain.values()].reduce((sum, each) => sum + each, 0n)
    if (usd <= 0n || hours <= 0) return []
    const usdPerDay = divideRounded(usd * BigInt(HOURS_PER_DAY), BigInt(hours))
    return [{ part, usdPerDay, isShift: isShift(line, usd), ...causeName(certain) }]
  })
}

/**
 * A workload took idle capacity: its cluster does not cost more, and the idle cost fell by most of the rise. If another workload
 * ended at the same time, the rise is no shift. A price is never one.
 */
const isShift = ({ level, clusterUsd, idleUsd }: FactLine, usd: Decimal): boolean =>
  level === 'workload' && explains(usd - clusterUsd, usd) && explains(-idleUsd, usd)
