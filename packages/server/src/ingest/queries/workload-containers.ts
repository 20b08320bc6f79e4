import { sql } from 'kysely'
import type { ContainerKey, ContainerNow } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import { forRecords } from '../../platform/db/record-sets.ts'
import { containerIdOf } from './usage-rows.ts'

export type WorkloadName = { namespace: string; kind: string; name: string }

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

/** Containers that existed in some hours, with any requests. */
export async function noteContainersSeen(tx: Db, clusterId: string, seen: readonly SeenContainer[]): Promise<void> {
  await forRecords(tx, {
    rows: seen,
    recordOf: ({ key, hour }) => ({ ...keyRecord(key), hour }),
    types: { ...keyTypes, hour: 'timestamptz' },
    statement: (recordset) => sql`
      insert into workload_container as known (cluster_id, container_id, namespace, workload_kind, workload_name, container,
        first_seen_at, last_seen_at, shape_since)
      select ${clusterId}, container_id, namespace, workload_kind, workload_name, container, min(hour), max(hour), min(hour)
      from ${recordset} group by container_id, namespace, workload_kind, workload_name, container
      on conflict (cluster_id, container_id) do update set
        first_seen_at = least(known.first_seen_at, excluded.first_seen_at),
        last_seen_at = greatest(known.last_seen_at, excluded.last_seen_at)
      where excluded.first_seen_at < known.first_seen_at or excluded.last_seen_at > known.last_seen_at`,
  })
}

const shape = sql`container_kind, cpu_request, cpu_limit, memory_request, memory_limit`

/** The current containers. All other containers have no pods any more. */
export async function writeContainersNow(
  tx: Db,
  clusterId: string,
  containers: readonly ContainerNow[],
  at: Date,
): Promise<void> {
  const amounts = { cpu_request: 'bigint', cpu_limit: 'bigint', memory_request: 'bigint', memory_limit: 'bigint' }
  await forRecords(tx, {
    rows: containers,
    recordOf: nowRecord,
    types: { ...keyTypes, container_kind: 'text', ...amounts, pods: 'integer' },
    statement: (recordset) => sql`
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
  })
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

export type Namesake = { cluster_id: string; namespace: string; kind: string; name: string }

/**
 * Workloads with the same names as those of some recommendations, in other namespaces of the cluster. Workloads without
 * pods count: they may be scaled down or between two runs.
 */
export async function listNamesakes(
  db: Db,
  clusterIds: readonly string[],
  ids: readonly string[],
): Promise<Namesake[]> {
  const { rows } = await sql<Namesake>`
    with wanted as (
      select distinct cluster_id, namespace, workload_kind, workload_name from recommendation
      where cluster_id = any(${clusterIds}) and recommendation_id = any(${ids}) and workload_kind is not null)
    select distinct c.cluster_id, c.namespace, c.workload_kind as kind, c.workload_name as name
    from wanted join workload_container c using (cluster_id, workload_kind, workload_name)
    where c.cluster_id = any(${clusterIds}) and c.namespace <> wanted.namespace
    order by 1, 3, 4, 2`.execute(db)
  return rows
}

/** Names of the known containers of a workload, with or without pods; empty: the workload is unknown. */
export async function listContainerNames(
  db: Db,
  clusterId: string,
  { namespace, kind, name }: WorkloadName,
): Promise<string[]> {
  const { rows } = await sql<{ container: string }>`
    select container from workload_container
    where cluster_id = ${clusterId} and namespace = ${namespace} and workload_kind = ${kind} and workload_name = ${name}
    union
    select template ->> 'name' from workload_shape, jsonb_array_elements(shape -> 'containers') as template
    where cluster_id = ${clusterId} and namespace = ${namespace} and workload_kind = ${kind} and workload_name = ${name}`.execute(
    db,
  )
  return rows.map(({ container }) => container)
}

export async function deleteForgottenContainers(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('workload_container').where('last_seen_at', '<', before).execute()
}
