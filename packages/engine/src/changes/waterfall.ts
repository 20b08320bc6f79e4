import type { Decimal } from '../decimal.ts'
import { readEffectKey, type EffectKey } from './effect-key.ts'
import type { Comparison } from './known-time.ts'
import type { NodeMovement } from './node-changes.ts'
import type { CostPart, WaterfallPart } from '../vocabulary/changes.ts'

export type Waterfall = Record<WaterfallPart, Decimal>

export const emptyWaterfall = (): Waterfall => ({
  nodes_removed: 0n,
  nodes_added: 0n,
  nodes_kept: 0n,
  price: 0n,
  storage: 0n,
  load_balancers: 0n,
  fees: 0n,
  new_clusters: 0n,
  gone_clusters: 0n,
  hours: 0n,
})

export type ClusterEffects = {
  readonly comparison: Comparison
  readonly capacity: ReadonlyMap<EffectKey, Decimal>
  readonly cloudResources: ReadonlyMap<EffectKey, Decimal>
  readonly nodes: readonly { readonly movement: NodeMovement; readonly usd: Decimal }[]
}

/** The change of the bill of one cluster: nodes, node prices, and what is billed beside nodes. */
export function clusterWaterfall({ comparison, capacity, cloudResources, nodes }: ClusterEffects): Waterfall {
  const waterfall = emptyWaterfall()
  if (comparison.kind === 'single') {
    for (const usd of [...capacity.values(), ...cloudResources.values()]) waterfall[WHOLE[comparison.effect]] += usd
    return waterfall
  }
  for (const [key, usd] of [...capacity, ...cloudResources]) waterfall[lineOf(key)] += usd
  for (const { movement, usd } of nodes) {
    waterfall.nodes_kept -= usd
    waterfall[`nodes_${movement}`] += usd
  }
  return waterfall
}

const WHOLE = { new: 'new_clusters', gone: 'gone_clusters', hours: 'hours' } as const

/** All effects on nodes count as `nodes_kept` first. The nodes that were removed or added take their share from it. */
function lineOf(key: EffectKey): WaterfallPart {
  const { part, kind } = readEffectKey(key)
  if (kind === 'hours') return 'hours'
  return part === 'idle' && kind === 'price' ? 'price' : LINES[part]
}

const LINES: Record<CostPart, WaterfallPart> = {
  compute: 'nodes_kept',
  idle: 'nodes_kept',
  storage: 'storage',
  load_balancer: 'load_balancers',
  overhead: 'fees',
}
