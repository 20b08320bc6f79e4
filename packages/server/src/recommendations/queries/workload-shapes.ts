import { workloadKey, type LiveWorkload } from '@plimsoll/engine/manifests'
import type { WorkloadName } from '../../ingest/index.ts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { forRecords } from '../../platform/db/record-sets.ts'

/** The workloads of open recommendations of the cluster. */
export async function listOpenWorkloads(tx: Db, clusterId: string): Promise<WorkloadName[]> {
  const { rows } = await sql<WorkloadName>`
    select distinct namespace, workload_kind as kind, workload_name as name from recommendation
    where cluster_id = ${clusterId} and status in ('pending', 'approved') and workload_kind is not null
    order by 1, 2, 3`.execute(tx)
  return rows
}

export type ShapeOf = WorkloadName & { shape: LiveWorkload | null }

const types = { namespace: 'text', kind: 'text', name: 'text', shape: 'jsonb' }

/** Writes differences only, and deletes shapes without an open recommendation. */
export async function writeWorkloadShapes(tx: Db, clusterId: string, shapes: readonly ShapeOf[]): Promise<void> {
  await forRecords(tx, {
    rows: shapes,
    recordOf: (shape) => shape,
    types,
    statement: (recordset) => sql`
      insert into workload_shape as known (cluster_id, namespace, workload_kind, workload_name, shape)
      select ${clusterId}, namespace, kind, name, nullif(shape, 'null'::jsonb) from ${recordset}
      on conflict (cluster_id, namespace, workload_kind, workload_name) do update set shape = excluded.shape
      where known.shape is distinct from excluded.shape`,
  })
  await sql`
    delete from workload_shape using (
      select namespace, workload_kind, workload_name from workload_shape where cluster_id = ${clusterId}
      except
      select namespace, workload_kind, workload_name from recommendation
      where cluster_id = ${clusterId} and status in ('pending', 'approved') and workload_kind is not null
    ) as forgotten
    where workload_shape.cluster_id = ${clusterId} and workload_shape.namespace = forgotten.namespace
      and workload_shape.workload_kind = forgotten.workload_kind and workload_shape.workload_name = forgotten.workload_name`.execute(
    tx,
  )
}

export type StoredShape = ShapeOf & { cluster_id: string }

/** The workloads of these recommendations. */
export async function listShapesOf(
  db: Db,
  clusterIds: readonly string[],
  ids: readonly string[],
): Promise<StoredShape[]> {
  const { rows } = await sql<StoredShape>`
    select distinct on (s.cluster_id, s.namespace, s.workload_kind, s.workload_name)
      s.cluster_id, s.namespace, s.workload_kind as kind, s.workload_name as name, s.shape
    from recommendation r join workload_shape s on s.cluster_id = r.cluster_id and s.namespace = r.namespace
      and s.workload_kind = r.workload_kind and s.workload_name = r.workload_name
    where r.cluster_id = any(${clusterIds}) and r.recommendation_id = any(${ids})`.execute(db)
  return rows
}

type WorkloadMetadata = Pick<LiveWorkload, 'labels' | 'annotations'>

/** Labels and annotations of a workload with an open recommendation. */
export async function findWorkloadMetadata(
  db: Db,
  clusterId: string,
  workload: WorkloadName,
): Promise<WorkloadMetadata | undefined> {
  const { namespace, kind, name } = workload
  const { rows } = await sql<WorkloadMetadata>`
    select shape -> 'labels' as labels, shape -> 'annotations' as annotations from workload_shape
    where cluster_id = ${clusterId} and namespace = ${namespace} and workload_kind = ${kind} and workload_name = ${name}
      and shape is not null`.execute(db)
  return rows[0]
}

/** Labels `helm.sh/chart` of workloads, by name; null: none. Only workloads with an open recommendation are known. */
export async function listChartLabels(
  db: Db,
  clusterId: string,
  workloads: readonly WorkloadName[],
): Promise<ReadonlyMap<string, string | null>> {
  const of = (field: keyof WorkloadName) => workloads.map((each) => each[field])
  const { rows } = await sql<WorkloadName & { chart: string | null }>`
    select namespace, workload_kind as kind, workload_name as name, shape -> 'labels' ->> 'helm.sh/chart' as chart
    from workload_shape
    where cluster_id = ${clusterId} and shape is not null
      and (namespace, workload_kind, workload_name) in (
        select * from unnest(${of('namespace')}::text[], ${of('kind')}::text[], ${of('name')}::text[]))`.execute(db)
  return new Map(rows.map(({ chart, ...workload }) => [workloadKey(workload), chart]))
}
