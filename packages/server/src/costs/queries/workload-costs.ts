import { sql } from 'kysely'
import { type CoveredHours, type WorkloadSum, workloadSums } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { cloudResourceUsd, isUnpriced, unmeasuredUsd, usd } from '../../platform/db/money.ts'
import { coveredRows, ranInWindow } from './quantities.ts'

export type WorkloadKey = { cost: string; namespace: string; kind: string; name: string }

export type WorkloadCostRow = WorkloadKey & {
  usedCost: string
  unmeasuredCost: string
  cpuCost: string
  memoryCost: string
  gpuCost: string
  computeCost: string
  storageCost: string
  balancerCost: string
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
 * The most expensive first, ties by name. `cost` keeps every digit, so that a page can continue from it. Finding the
 * page needs one sum per workload; the other sums are computed for its workloads only.
 */
export async function listWorkloadCosts(tx: Db, cover: CoveredHours, page: WorkloadPage): Promise<WorkloadCostRow[]> {
  const found = await listByCost(tx, cover, page)
  const sums = sql.join(workloadSums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
  const isOnPage = sql`(namespace, workload_kind, workload_name) in (
    select * from unnest(${found.map(({ namespace }) => namespace)}::text[], ${found.map(({ kind }) => kind)}::text[],
      ${found.map(({ name }) => name)}::text[]))`
  const { rows } = await sql<WorkloadCostRow>`
    with quantity as (
      select ${keyColumns}, ${sums} from (${coveredRows(cover, { table: 'workload', keys, sums: workloadSums })}) covered
      where ${isOnPage} group by ${keyColumns} ${ranInWindow(cover)}),
    compute as (
      select namespace, workload_kind, workload_name, ${sums}, sum(${usd('alloc')}) as "computeCost",
        sum(${usd('used')}) as "usedCost", sum(${unmeasuredUsd}) as "unmeasuredCost", sum(${usd('alloc', ['cpu'])}) as "cpuCost",
        sum(${usd('alloc', ['memory'])}) as "memoryCost", sum(${usd('alloc', ['gpu'])}) as "gpuCost",
        bool_or(${isUnpriced('alloc')}) as unpriced
      from quantity join rate using (rate_id) group by 1, 2, 3),
    assets as (
      select namespace, workload_kind, workload_name,
        coalesce(sum(${cloudResourceUsd}) filter (where kind = 'volume'), 0) as "storageCost",
        coalesce(sum(${cloudResourceUsd}) filter (where kind = 'balancer'), 0) as "balancerCost",
        bool_or(unit_seconds > 0 and rate.asset_usd_per_unit_second is null) as unpriced
      from (${coveredRows(cover, cloudResourceSource)}) covered join rate using (rate_id)
      where owner = 'workload' and ${isOnPage} group by 1, 2, 3)
    select c.*, c.workload_kind as kind, c.workload_name as name, "computeCost" + coalesce("storageCost", 0)
      + coalesce("balancerCost", 0) as cost, coalesce("storageCost", 0) as "storageCost",
      coalesce("balancerCost", 0) as "balancerCost", c.unpriced or coalesce(a.unpriced, false) as "isUnpriced"
    from compute c left join assets a using (namespace, workload_kind, workload_name)
    order by cost desc, namespace, kind, name`.execute(tx)
  return rows
}

const keys = ['namespace', 'workload_kind', 'workload_name', 'rate_id']
const cloudResourceSource = {
  table: 'asset' as const,
  keys: ['kind', 'owner', 'namespace', 'workload_kind', 'workload_name', 'rate_id'],
  sums: ['unit_seconds'],
}
const keyColumns = sql.join(keys.map((key) => sql.ref(key)))

async function listByCost(
  tx: Db,
  cover: CoveredHours,
  { namespaces, after, limit }: WorkloadPage,
): Promise<WorkloadKey[]> {
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  const sums = ['seconds', 'cpu_alloc', 'memory_alloc', 'gpu_alloc']
  const next =
    after === undefined
      ? sql`true`
      : sql`(cost < ${after.cost}::numeric or (cost = ${after.cost}::numeric
          and (namespace, kind, name) > (${after.namespace}, ${after.kind}, ${after.name})))`
  const { rows } = await sql<WorkloadKey>`
    with quantity as (
      select ${keyColumns}, ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from (${coveredRows(cover, { table: 'workload', keys, sums })}) covered where ${shown} group by ${keyColumns} ${ranInWindow(cover)}),
    parts as (
      select namespace, workload_kind as kind, workload_name as name, ${usd('alloc')} as cost, true as runs
      from quantity join rate using (rate_id)
      union all
      select namespace, workload_kind, workload_name, ${cloudResourceUsd}, false
      from (${coveredRows(cover, cloudResourceSource)}) covered join rate using (rate_id) where owner = 'workload' and ${shown}),
    priced as (select namespace, kind, name, sum(cost) as cost from parts group by 1, 2, 3 having bool_or(runs))
    select * from priced where ${next}
    order by cost desc, namespace, kind, name limit ${limit}`.execute(tx)
  return rows
}
