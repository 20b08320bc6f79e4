import type { Estimate } from '@plimsoll/contract'
import { estimateChange as estimate } from '@plimsoll/pipeline/estimates'
import { readAtOnce } from '../../ingest/index.ts'
import type { EstimateRequest } from '../../platform/background.ts'
import type { Deps } from '../../platform/deps.ts'
import { loadClassRates } from '../../prices/index.ts'
import { loadPacked } from '../analysis/load-packed.ts'
import { loadSnapshot } from '../analysis/load-snapshot.ts'
import { loadPreviousPlan } from '../queries/plans.ts'
import { listWorkloadPasts } from '../queries/workload-pasts.ts'

/** What a change of workloads costs. Undefined before the first report of the cluster. */
export function estimateChange(
  deps: Pick<Deps, 'db' | 'now' | 'prices'>,
  { clusterId, workloads, seesNodes }: EstimateRequest,
): Promise<Estimate | undefined> {
  return readAtOnce(deps.db, async (tx) => {
    const snapshot = await loadSnapshot(deps, tx, clusterId)
    if (!snapshot) return undefined
    const pack = async () => loadPacked(deps, tx, clusterId, { snapshot, ...(await loadPreviousPlan(tx, clusterId)) })
    return estimate({
      clusterId,
      snapshot,
      workloads,
      rates: await loadClassRates(tx, clusterId),
      past: await listWorkloadPasts(tx, clusterId, workloads, deps.now()),
      pack: seesNodes ? pack : undefined,
    })
  })
}
