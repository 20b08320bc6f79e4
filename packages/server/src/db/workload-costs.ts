import { sql } from 'kysely'
import type { CoveredHours } from './cover.ts'
import type { Db } from './database.ts'
import { isUnpriced, usd } from './money.ts'
import { coveredRows } from './quantities.ts'
import { workloadSums, type WorkloadSum } from './quantity-columns.ts'

export type WorkloadKey = { cost: string; namespace: string; kind: string; name: string }

export type WorkloadCostRow = WorkloadKey & {
  usedCost: string
  cpuCost: string
  memoryCost: string
  gpuCost: string
} & {
  isUnpriced: boolean
} & Record<WorkloadSum, string>

export type WorkloadPage = {
  /** Null: all that there are. */
  namespaces: readonly string[] | null
  after: WorkloadKey | undefined
  limit: number
}

/**
 * The most expensive first; those that cost the same by name. `cost` keeps every digit, so that a page can go on from it.
 * Finding the page needs one sum of each workload; the many others are made for the workloads on it alone.
 */
export async function listWorkloadCosts(tx: Db, cover: CoveredHours, page: WorkloadPage): Promise<WorkloadCostRow[]> {
  const found = await listByCost(tx, cover, page)
  const sums = sql.join(workloadSums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const { rows } = await sql<WorkloadCostRow>`
    with quantity as (
      select ${keyColumns}, ${sums} from (${coveredRows(cover, { table: 'workload', keys, sums: workloadSums })}) covered
      join unnest(${found.map(({ namespace }) => namespace)}::text[], ${found.map(({ kind }) => kind)}::text[],
        ${found.map(({ name }) => name)}::text[]) as page (namespace, workload_kind, workload_name)
        using (namespace, workload_kind, workload_name)
      group by ${keyColumns})
    select namespace, workload_kind as kind, workload_name as name, ${sums},
      sum(${usd('alloc')}) as cost, sum(${usd('used')}) as "usedCost", sum(${usd('alloc', ['cpu'])}) as "cpuCost",
      sum(${usd('alloc', ['memory'])}) as "memoryCost", sum(${usd('alloc', ['gpu'])}) as "gpuCost",
      bool_or(${isUnpriced('alloc')}) as "isUnpriced"
    from quantity join rate using (rate_id)
    group by namespace, workload_kind, workload_name
    order by cost desc, namespace, kind, name`.execute(tx)
  return rows
}

const keys = ['namespace', 'workload_kind', 'workload_name', 'rate_id']
const keyColumns = sql.join(keys.map((key) => sql.ref(key)))

async function listByCost(
  tx: Db,
  cover: CoveredHours,
  { namespaces, after, limit }: WorkloadPage,
): Promise<WorkloadKey[]> {
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  const sums = ['cpu_alloc', 'memory_alloc', 'gpu_alloc']
  const next =
    after === undefined
      ? sql`true`
      : sql`(cost < ${after.cost}::numeric or (cost = ${after.cost}::numeric
          and (namespace, kind, name) > (${after.namespace}, ${after.kind}, ${after.name})))`
  const { rows } = await sql<WorkloadKey>`
    with quantity as (
      select ${keyColumns}, ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from (${coveredRows(cover, { table: 'workload', keys, sums })}) covered where ${shown} group by ${keyColumns}),
    priced as (
      select namespace, workload_kind as kind, workload_name as name, sum(${usd('alloc')}) as cost
      from quantity join rate using (rate_id) group by 1, 2, 3)
    select * from priced where ${next}
    order by cost desc, namespace, kind, name limit ${limit}`.execute(tx)
  return rows
}
