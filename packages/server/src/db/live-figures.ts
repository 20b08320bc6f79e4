import type { LiveFigures } from '@plimsoll/pipeline/fold'
import { writeAssetClasses } from './asset-classes.ts'
import { writeMonthlyCost } from './cluster-figures.ts'
import type { Db } from './database.ts'
import { writeNodeClasses } from './node-classes.ts'
import type { RateIds } from './rates.ts'

/** What lists show of a cluster, and how many nodes of each class there are. */
export async function writeClusterFigures(
  tx: Db,
  clusterId: string,
  figures: LiveFigures,
  rateIds: RateIds,
): Promise<void> {
  const observedAt = new Date(figures.observedAt * 1000)
  const seen = [...figures.nodesByClass].map(([classKey, nodes]) => ({
    classKey,
    nodes,
    rateId: rateIds.get(classKey),
    cpuUnits: figures.podsByClass.get(classKey)?.cpu ?? null,
    memoryUnits: figures.podsByClass.get(classKey)?.memory ?? null,
  }))
  await writeNodeClasses(tx, clusterId, seen, observedAt)
  await writeAssetClasses(tx, clusterId, figures.assetsByClass, rateIds, observedAt)
  await tx
    .updateTable('cluster_state')
    .set({
      agent_version: figures.agent?.version ?? null,
      node_count: figures.nodes,
      pod_count: figures.pods,
      pods_allocatable: figures.podsAllocatable,
      last_sync_at: observedAt,
    })
    .where('cluster_id', '=', clusterId)
    .execute()
  await writeMonthlyCost(tx, clusterId)
}
