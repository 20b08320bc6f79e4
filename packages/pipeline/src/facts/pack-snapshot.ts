import { packCluster, admittingCapacities } from '@plimsoll/engine/packing'
import type { FoldState } from '../fold/fold-state.ts'
import type { Around } from './facts-of.ts'
import type { Packed } from './node-facts.ts'
import { watchedFacts } from './object-facts.ts'
import { packingOf } from './packing-of.ts'
import { peakPods } from './peak-pods.ts'
import { poolsOf } from './pools-of.ts'

/** `planned`: nodes that packing removes first. Undefined when the agent does not report the placement constraints of pods: their fit on nodes is then unknown. */
export function packSnapshot(
  state: FoldState,
  { rates, pricing, history, policies }: Pick<Around, 'rates' | 'pricing' | 'history' | 'policies'>,
  planned: readonly string[] = [],
): Packed | undefined {
  if (!watchedFacts(state).includes('placement')) return undefined
  const peaks = peakPods(state, history.replicaPeaks)
  const pools = poolsOf(state, pricing, policies.cluster.poolScaling)
  const cluster = packingOf(
    state,
    rates,
    pools.map(({ pool }) => pool),
    peaks,
  )
  return { cluster, pools, packing: packCluster(cluster, planned), peaks, capacityOf: admittingCapacities(cluster) }
}
