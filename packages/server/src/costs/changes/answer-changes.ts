import type { Changes } from '@plimsoll/contract'
import { listAskedClusters, type AskedClusters } from '../asked-clusters.ts'
import { readAtOnce } from '../../ingest/index.ts'
import { allowLargeGroups, type Db } from '../../platform/db/database.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import type { ChangesOptions } from './cluster-comparison.ts'
import { GroupLines } from './group-lines.ts'
import { loadClusterChanges, type ClusterChanges } from './load-cluster-changes.ts'
import { presentChanges } from './present-changes.ts'

/** Plain data, so that it can be posted to another thread. */
export type ChangesRequest = AskedClusters & {
  options: ChangesOptions
}

export type ChangesLimits = { signal?: AbortSignal; lines?: GroupLines }

/** Takes long for large clusters: the service calls it in the thread of figures-thread.ts. */
export const answerChanges = (db: Db, request: ChangesRequest, limits: ChangesLimits = {}): Promise<Changes> =>
  readAtOnce(db, async (tx) => {
    await allowLargeGroups(tx)
    return loadChanges(tx, request, limits)
  })

export async function loadChanges(
  tx: Db,
  { options, ...asked }: ChangesRequest,
  { signal, lines = new GroupLines() }: ChangesLimits,
): Promise<Changes> {
  const { rules: teams } = await loadTeamMapping(tx)
  const clusters: ClusterChanges[] = []
  for (const cluster of await listAskedClusters(tx, asked)) {
    signal?.throwIfAborted()
    clusters.push(await loadClusterChanges(tx, cluster, { options, lines, signal, teams }))
  }
  return presentChanges(clusters, lines.all(), options)
}
