import type { LiveFigures } from '@plimsoll/pipeline/fold'
import { type RateIds, writeCloudResourceClasses, writeNodeClasses } from '../../prices/index.ts'
import { writeRunRate } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'

/** The figures of a cluster in lists, and the number of nodes of each class. */
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
  await writeCloudResourceClasses(tx, clusterId, { seen: figures.cloudResourcesByClass, rateIds, observedAt })
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
  await writeRunRate(tx, clusterId)
}
