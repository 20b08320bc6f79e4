import { metricSeriesMax } from '@plimsoll/contract'
import { loadCover, readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { version } from '../../platform/version.ts'
import { listLastHours, listPodAllocations } from '../queries/metrics.ts'
import { listCloudResourceAssets, listNodeAssets } from '../queries/opencost-assets.ts'
import type { Family } from './metric-text.ts'
import type { OpencostMetricsRequest } from './metrics-request.ts'
import { opencostFamilies } from './opencost-families.ts'

/** More rows than series are allowed: the refusal needs their number. */
const rowsMax = 20 * metricSeriesMax

/** One cluster in its last finalised hour. */
export const answerOpencostMetrics = (db: Db, request: OpencostMetricsRequest): Promise<Family[]> =>
  readAtOnce(db, async (tx) => {
    const { clusterId, clusterName: cluster } = request
    const nothing = { cluster, version, nodes: [], pods: [], resources: [] }
    const window = (await listLastHours(tx, [clusterId])).get(clusterId)
    if (!window) return opencostFamilies(nothing)
    return opencostFamilies({
      ...nothing,
      nodes: await listNodeAssets(tx, await loadCover(tx, clusterId, window), rowsMax),
      pods: await listPodAllocations(tx, clusterId, { hour: window.from, rowsMax }),
      resources: await listCloudResourceAssets(tx, clusterId, { from: window.from, to: window.to, rowsMax }),
    })
  })
