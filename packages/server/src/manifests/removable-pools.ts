import type { PoolScaling } from '@plimsoll/contract'
import type { RemovablePool } from '@plimsoll/engine/manifests'
import { canonicalProvider } from '@plimsoll/pricebook'
import { listClusterPlaces } from '../clusters/index.ts'
import { seesWholeClusters, type Caller } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/database.ts'
import { listFreedNodes } from '../plans/index.ts'
import { listPoolScaling } from '../settings/index.ts'

const scalers: Record<PoolScaling['by'], RemovablePool['scaler']> = {
  karpenter: 'karpenter',
  cluster_autoscaler: 'cluster-autoscaler',
  nobody: 'none',
  unknown: 'unknown',
}

type Named = { cluster_id?: string; step_id?: string }

/** The nodes that a `free` step makes removable, by pool. A role that does not see whole clusters sees no nodes. */
export async function removablePools(
  db: Db,
  caller: Caller,
  { cluster_id: clusterId, step_id: stepId }: Named,
): Promise<RemovablePool[]> {
  if (clusterId === undefined || stepId === undefined || !seesWholeClusters(caller)) return []
  const freed = await listFreedNodes(db, { clusterId, stepId })
  if (freed.length === 0) return []
  const [places, scaling] = await Promise.all([listClusterPlaces(db, [clusterId]), listPoolScaling(db, clusterId)])
  const { name: clusterName, provider, region } = places.get(clusterId) ?? { name: clusterId, provider: '', region: '' }
  const scalerOf = new Map(scaling.map((pool) => [pool.name, pool.scaling.by]))
  return [...new Set(freed.map(({ pool }) => pool))].map((pool) => ({
    ...{ clusterId, clusterName, provider: canonicalProvider(provider), region, pool },
    scaler: scalers[scalerOf.get(pool) ?? 'unknown'],
    nodes: freed.filter((node) => node.pool === pool).map(({ name }) => name),
  }))
}
