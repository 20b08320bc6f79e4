import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { isUnpriced, usd } from '../../platform/db/money.ts'

/** Null: no cost, or no containers. */
export type ClusterFigures = {
  /** The newest hour with data. */
  newest: Date | null
  hours: number
  /** Hours with data of the last 24. */
  dayHours: number
  capacityUsd: number
  unallocatedUsd: number
  /** Of the last 24 hours. */
  unpricedShare: number | null
  coverage: number | null
}

type Row = Omit<ClusterFigures, 'capacityUsd' | 'unallocatedUsd'> & {
  capacityUsd: string | null
  unallocatedUsd: string | null
}

/** `week` and `day` are the starts of the windows, which end with the newest hour. */
export async function findClusterFigures(
  tx: Db,
  clusterId: string,
  { week, day }: { week: Date; day: Date },
): Promise<ClusterFigures> {
  const { rows } = await sql<Row>`
    with hours as (
      select max(hour) as newest, count(*)::integer as hours,
        count(*) filter (where hour >= ${day})::integer as "dayHours" from folded_hour
      where cluster_id = ${clusterId} and hour >= ${week}),
    compute as (
      select sum(${usd('capacity')}) as capacity, sum(${usd('capacity')} - ${usd('alloc')}) as unallocated,
        sum(seconds) filter (where hour >= ${day}) as seconds,
        sum(seconds) filter (where hour >= ${day} and ${isUnpriced('capacity')}) as unpriced
      from cluster_hour join rate using (rate_id) where cluster_id = ${clusterId} and hour >= ${week}),
    containers as (
      select sum(cpu_known) as known, sum(container_seconds) as all from namespace_hour
      where cluster_id = ${clusterId} and hour >= ${day})
    select newest, hours, "dayHours", capacity as "capacityUsd", unallocated as "unallocatedUsd",
      (coalesce(unpriced, 0) / nullif(seconds, 0))::double precision as "unpricedShare",
      (known / nullif("all", 0))::double precision as coverage
    from hours, compute, containers`.execute(tx)
  const [row] = rows
  if (!row) throw new Error('the figures are missing')
  return { ...row, capacityUsd: Number(row.capacityUsd ?? 0), unallocatedUsd: Number(row.unallocatedUsd ?? 0) }
}

export type NamespaceCost = { namespace: string; usd: number; labels: Record<string, string> }

/** The compute cost of each workload, with the labels that decide its team. Both hours are included. */
export async function listNamespaceCosts(
  tx: Db,
  clusterId: string,
  { first, last }: { first: Date; last: Date },
): Promise<NamespaceCost[]> {
  const { rows } = await sql<Omit<NamespaceCost, 'usd'> & { usd: string }>`
    with quantity as (
      select namespace, labels, rate_id,
        sum(cpu_alloc) as cpu_alloc, sum(memory_alloc) as memory_alloc, sum(gpu_alloc) as gpu_alloc
      from workload_hour where cluster_id = ${clusterId} and hour between ${first} and ${last} group by 1, 2, 3)
    select namespace, labels, sum(${usd('alloc')}) as usd
    from quantity join rate using (rate_id) group by 1, 2`.execute(tx)
  return rows.map((row) => ({ ...row, usd: Number(row.usd), labels: row.labels ?? {} }))
}
