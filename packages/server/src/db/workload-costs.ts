import { sql } from 'kysely'
import type { Cover } from './cover.ts'
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

/** The most expensive first; those that cost the same by name. `cost` keeps every digit, so that a page can go on from it. */
export async function listWorkloadCosts(
  tx: Db,
  cover: Cover,
  { namespaces, after, limit }: WorkloadPage,
): Promise<WorkloadCostRow[]> {
  const keys = ['namespace', 'workload_kind', 'workload_name', 'rate_id']
  const rows = coveredRows(cover, { table: 'workload', keys, sums: workloadSums })
  const perRate = sql.join(workloadSums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  const next =
    after === undefined
      ? sql`true`
      : sql`(cost < ${after.cost}::numeric or (cost = ${after.cost}::numeric
          and (namespace, kind, name) > (${after.namespace}, ${after.kind}, ${after.name})))`
  const { rows: found } = await sql<WorkloadCostRow>`
    with quantity as (
      select ${sql.join(keys.map((key) => sql.ref(key)))}, ${perRate} from (${rows}) covered
      where ${shown} group by ${sql.join(keys.map((key) => sql.ref(key)))}),
    priced as (
      select namespace, workload_kind as kind, workload_name as name, ${perRate},
        sum(${usd('alloc')}) as cost, sum(${usd('used')}) as "usedCost", sum(${usd('alloc', ['cpu'])}) as "cpuCost",
        sum(${usd('alloc', ['memory'])}) as "memoryCost", sum(${usd('alloc', ['gpu'])}) as "gpuCost",
        bool_or(${isUnpriced('alloc')}) as "isUnpriced"
      from quantity join rate using (rate_id)
      group by namespace, workload_kind, workload_name)
    select * from priced where ${next}
    order by cost desc, namespace, kind, name limit ${limit}`.execute(tx)
  return found
}
