import { RESOURCES } from '@plimsoll/engine'
import { sql } from 'kysely'
import { type ContainerKey, type FoldedPod, keyText, podUseColumns } from '@plimsoll/pipeline/fold'
import type { PodMean } from '@plimsoll/pipeline/facts'
import type { Db } from '../../platform/db/database.ts'
import { columnRefs, forRecords, type RecordTypes } from '../../platform/db/record-sets.ts'

/** In the order of the numbers in PodSums. */
export const podSums = [
  'seconds',
  ...RESOURCES.flatMap((resource) => podUseColumns.map((column) => `${resource}_${column}`)),
]

const names: RecordTypes = {
  pod_uid: 'text',
  pod_name: 'text',
  namespace: 'text',
  workload_kind: 'text',
  workload_name: 'text',
  node_uid: 'text',
  steady: 'jsonb',
  containers: 'jsonb',
}

const types: RecordTypes = { ...names, ...Object.fromEntries(podSums.map((name) => [name, 'bigint'])) }

/** Quantities are added to the stored ones. Those of containers replace them, because the caller has summed them. */
export async function addPodHours(
  tx: Db,
  { clusterId, hour, bridged }: { clusterId: string; hour: Date; bridged: boolean },
  pods: readonly FoldedPod[],
): Promise<void> {
  const columns = columnRefs(Object.keys(types))
  const added = podSums.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`pod_hour.${name}`)} + ${sql.ref(`excluded.${name}`)}`,
  )
  await forRecords(tx, {
    rows: pods,
    recordOf: podRecord,
    types,
    statement: (recordset) => sql`
      insert into pod_hour (cluster_id, hour, bridged, ${columns})
      select ${clusterId}, ${hour}, ${bridged}, ${columns} from ${recordset}
      on conflict (cluster_id, hour, pod_uid, bridged) do update set
        steady = excluded.steady, containers = excluded.containers, ${sql.join(added)}`,
  })
}

function podRecord(pod: FoldedPod): object {
  return {
    pod_uid: pod.uid,
    pod_name: pod.name,
    namespace: pod.namespace,
    workload_kind: pod.workloadKind,
    workload_name: pod.workloadName,
    node_uid: pod.nodeUid,
    steady: pod.steady,
    containers: pod.containers,
    ...Object.fromEntries(podSums.map((name, index) => [name, pod.sums[index] ?? 0])),
  }
}

export type StoredPod = Pick<FoldedPod, 'uid' | 'sums' | 'containers' | 'steady'>

/** The stored figures of these pods, by uid. */
export async function findStoredPods(
  tx: Db,
  { clusterId, hour }: { clusterId: string; hour: Date },
  podUids: readonly string[],
): Promise<Map<string, StoredPod>> {
  const { rows } = await sql<StoredPod>`
    select pod_uid as uid, steady, containers, array[${sql.join(podSums.map((name) => sql.ref(name)))}]::float8[] as sums
    from pod_hour
    where cluster_id = ${clusterId} and hour = ${hour} and not bridged and pod_uid = any(${podUids})`.execute(tx)
  return new Map(rows.map((row) => [row.uid, row]))
}

export type HottestUse = { cpu: number; memory: number }

/** One request applies to all pods of a workload, so the busiest pod matters. By the text of the container key. */
export async function findHottest(tx: Db, clusterId: string, hour: Date): Promise<Map<string, HottestUse>> {
  const { rows } = await sql<{ key: ContainerKey } & HottestUse>`
    select json_build_array(namespace, workload_kind, workload_name, name) as key,
      max(div((use->>1)::numeric, (use->>0)::numeric))::float8 as cpu,
      max(div((use->>2)::numeric, (use->>0)::numeric))::float8 as memory
    from pod_hour, jsonb_each(steady) as container (name, use)
    where cluster_id = ${clusterId} and hour = ${hour} and not bridged
    group by namespace, workload_kind, workload_name, name`.execute(tx)
  return new Map(rows.map(({ key, cpu, memory }) => [keyText(key), { cpu, memory }]))
}

export async function deletePodHour(
  tx: Db,
  clusterId: string,
  hour: Date,
  { onlyBridged }: { onlyBridged: boolean },
): Promise<void> {
  await sql`
    delete from pod_hour
    where cluster_id = ${clusterId} and hour = ${hour} and (bridged or not ${onlyBridged})`.execute(tx)
}

/** Mean usage of each pod of a StatefulSet since then, for comparison with the other replicas. */
export async function listStatefulMeans(tx: Db, clusterId: string, since: Date): Promise<PodMean[]> {
  const { rows } = await sql<PodMean>`
    select namespace, workload_name as "workloadName", pod_name as "podName",
      sum(cpu_usage)::float8 / sum(cpu_known)::float8 as mean
    from pod_hour
    where cluster_id = ${clusterId} and hour >= ${since} and workload_kind = 'StatefulSet' and cpu_known > 0 and not bridged
    group by 1, 2, 3`.execute(tx)
  return rows
}
