import { groupBy } from '../group-by.ts'
import {
  HOSTNAME_LABEL,
  ZONE_LABEL,
  type NodeType,
  type PackingCluster,
  type PackingNode,
  type PackingPool,
} from './cluster.ts'
import { onType } from './static-filters.ts'

/** A node that a pool may get in addition, once for each zone of the pool. */
export type NodeOffer = {
  readonly pool: PackingPool
  readonly instanceType: string
  readonly usdPerHour: PackingNode['usdPerHour']
  readonly samples: readonly NodeSample[]
}

/** An empty node, and the current node whose DaemonSets it gets. */
export type NodeSample = { readonly node: PackingNode; readonly like: string }

export const TYPE_LABEL = 'node.kubernetes.io/instance-type'

/** Karpenter starts any allowed type. Other pools get more nodes of their most frequent type. */
export function listOffers({ nodes, pools }: PackingCluster): NodeOffer[] {
  const byName = new Map(pools.map((pool) => [pool.name, pool]))
  return [...groupBy(nodes, ({ pool }) => pool)].flatMap(([name, own]) => {
    const pool = byName.get(name) ?? { name, kind: 'unmanaged' as const }
    const types = pool.kind === 'karpenter' ? (pool.types ?? []) : []
    return types.length > 0 ? types.flatMap((type) => offerOfType(pool, own, type)) : [offerOfMost(pool, own)]
  })
}

function offerOfType(pool: PackingPool, nodes: readonly PackingNode[], type: NodeType): NodeOffer[] {
  const samples = firstOfEachZone(nodes).flatMap((like): NodeSample[] => {
    const place = onType(like, type)
    if (!place) return []
    const { usdPerHour, allocatable } = type
    const limits = type.attachLimits ? { attachLimits: type.attachLimits } : {}
    const { attachLimits: _ofOtherType, ...rest } = like
    return [{ node: { ...rest, ...place, ...limits, usdPerHour, allocatable }, like: like.name }]
  })
  return samples.length === 0 ? [] : [{ pool, instanceType: type.name, usdPerHour: type.usdPerHour, samples }]
}

function offerOfMost(pool: PackingPool, nodes: readonly PackingNode[]): NodeOffer {
  const byType = [...groupBy(nodes, typeOf)]
  const [instanceType, own] = byType.reduce((most, each) => (each[1].length > most[1].length ? each : most))
  const samples = firstOfEachZone(own).map((node) => ({ node, like: node.name }))
  return { pool, instanceType, usdPerHour: own[0]?.usdPerHour ?? 'unpriced', samples }
}

const typeOf = ({ labels }: PackingNode) => labels[TYPE_LABEL] ?? ''

function firstOfEachZone(nodes: readonly PackingNode[]): PackingNode[] {
  return [...groupBy(nodes, ({ labels }) => labels[ZONE_LABEL]).values()].flatMap(([first]) => first ?? [])
}

/** A further node like the sample. */
export function cloneOf({ node }: NodeSample, name: string): PackingNode {
  return { ...node, name, keep: false, labels: { ...node.labels, [HOSTNAME_LABEL]: name } }
}
