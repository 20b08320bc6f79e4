import { sql } from 'kysely'
import type { ContainerKey } from '../fold/usage-sums.ts'
import type { ContainerNow } from '../fold/containers-now.ts'
import type { Db } from './database.ts'
import { forRecords } from './record-sets.ts'
import { containerIdOf } from './usage-rows.ts'

const keyTypes = {
  container_id: 'bigint',
  namespace: 'text',
  workload_kind: 'text',
  workload_name: 'text',
  container: 'text',
}

const keyRecord = (key: ContainerKey) => {
  const [namespace, workload_kind, workload_name, container] = key
  return { container_id: containerIdOf(key), namespace, workload_kind, workload_name, container }
}

export type SeenContainer = { key: ContainerKey; hour: Date }

/** Containers that there were in some hours, whatever they asked for. */
export async function noteContainersSeen(tx: Db, clusterId: string, seen: readonly SeenContainer[]): Promise<void> {
  await forRecords(
    tx,
    seen,
    ({ key, hour }) => ({ ...keyRecord(key), hour }),
    { ...keyTypes, hour: 'timestamptz' },
    (recordset) => sql`
      insert into workload_container as known (cluster_id, container_id, namespace, workload_kind, workload_name, container,
        first_seen_at, last_seen_at, shape_since)
      select ${clusterId}, container_id, namespace, workload_kind, workload_name, container, min(hour), max(hour), min(hour)
      from ${recordset} group by container_id, namespace, workload_kind, workload_name, container
      on conflict (cluster_id, container_id) do update set
        first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)
      where excluded.first_seen_at < known.first_seen_at or excluded.last_seen_at > known.last_seen_at`,
  )
}

const shape = sql`container_kind, cpu_request, cpu_limit, memory_request, memory_limit`

/** What there is now. Containers that are not among them have no pods any more. */
export async function writeContainersNow(
  tx: Db,
  clusterId: string,
  containers: readonly ContainerNow[],
  at: Date,
): Promise<void> {
  const amounts = { cpu_request: 'bigint', cpu_limit: 'bigint', memory_request: 'bigint', memory_limit: 'bigint' }
  await forRecords(
    tx,
    containers,
    nowRecord,
    { ...keyTypes, container_kind: 'text', ...amounts, pods: 'integer' },
    (recordset) => sql`
      insert into workload_container as known (cluster_id, container_id, namespace, workload_kind, workload_name, container,
        ${shape}, pods, first_seen_at, last_seen_at, shape_since)
      select ${clusterId}, container_id, namespace, workload_kind, workload_name, container, ${shape}, pods, ${at}, ${at}, ${at}
      from ${recordset}
      on conflict (cluster_id, container_id) do update set
        container_kind = excluded.container_kind,
        cpu_request = excluded.cpu_request, cpu_limit = excluded.cpu_limit,
        memory_request = excluded.memory_request, memory_limit = excluded.memory_limit,
        pods = excluded.pods,
        last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at),
        shape_since = case
          when known.container_kind is null
            or (known.cpu_request, known.cpu_limit, known.memory_request, known.memory_limit)
              is not distinct from (excluded.cpu_request, excluded.cpu_limit, excluded.memory_request, excluded.memory_limit)
          then known.shape_since else excluded.shape_since end`,
  )
  await sql`
    update workload_container set pods = 0
    where cluster_id = ${clusterId} and pods > 0 and last_seen_at < ${at}`.execute(tx)
}

const nowRecord = ({ key, kind, cpuRequest, cpuLimit, memoryRequest, memoryLimit, pods }: ContainerNow): object => ({
  ...keyRecord(key),
  container_kind: kind,
  cpu_request: cpuRequest,
  cpu_limit: cpuLimit,
  memory_request: memoryRequest,
  memory_limit: memoryLimit,
  pods,
})

export async function deleteForgottenContainers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('workload_container').where('last_seen_at', '<', before).execute()
}
