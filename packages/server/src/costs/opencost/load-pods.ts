import type { ClusterName } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { Problem } from '../../platform/http/problem.ts'
import type { ClusterAllocation, RowBudget } from '../allocation.ts'
import { findFirstPodHour, listPodWeights } from '../queries/opencost-pods.ts'
import { podDimensions } from './dimensions.ts'
import type { OpencostAllocationRequest, OpencostNamesRequest } from './opencost-request.ts'
import { presentTime } from './present-set.ts'
import { PodsOfWorkloads } from './split-by-pod.ts'

type Asked = {
  cluster: ClusterName
  allocation: ClusterAllocation
  request: OpencostAllocationRequest | OpencostNamesRequest
}

/** The pods of a cluster, if the request asks for nodes, pods or containers. */
export async function loadPods(
  tx: Db,
  { cluster, allocation: { cover }, request }: Asked,
  budget: RowBudget,
): Promise<PodsOfWorkloads | undefined> {
  const dimensions = podDimensions(request)
  const [firstDay, firstHour] = [cover.days[0], cover.hours[0]]
  const first = firstDay && firstHour ? (firstDay < firstHour ? firstDay : firstHour) : (firstDay ?? firstHour)
  // The pods of an hour in progress are not stored.
  if (dimensions.length === 0 || first === undefined || cover.openHour) return undefined
  const known = await findFirstPodHour(tx, cluster.id)
  if (known === undefined || first < known) throw notStored(cluster, known)
  const { plan, namespaces } = request
  const selection = { step: plan.step, dimensions, namespaces }
  return new PodsOfWorkloads(budget.take(await listPodWeights(tx, cover, selection, budget)))
}

function notStored({ name }: ClusterName, known: Date | undefined): Problem {
  const from = known === undefined ? 'no hour yet' : `${presentTime(known)}`
  const detail = `nodes, pods and containers of cluster ${name} are stored from ${from}; request a later window, or other aggregates`
  const errors = [{ parameter: 'window', code: 'opencost', detail }]
  return new Problem('pods_not_stored', `window: ${detail}.`, { errors })
}
