import { sql } from 'kysely'
import { type SmallWorld, startSecond } from '@plimsoll/pipeline/testing'
import type { TestApp } from './test-app.ts'

export const firstHour = new Date(startSecond * 1000)
export const secondHour = new Date((startSecond + 3600) * 1000)

const aPod = (uid: string) => ({
  uid,
  node: 0,
  boundAt: startSecond,
  endedAt: Infinity,
  containers: [{ name: 'c0', millicores: 1000, kib: 4 * 1024 * 1024 }],
  resize: undefined,
  useSeed: uid.length,
})

/** One m5.xlarge in eu-central-1, $0.23 per hour in the price list, with two pods. */
export const oneNode: SmallWorld = {
  nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }],
  pods: [aPod('web'), aPod('worker')],
}

const cost = (quantity: string) => sql`
  coalesce(sum(${sql.ref(`cpu_${quantity}`)} * cpu_usd_per_microcore_second
    + ${sql.ref(`memory_${quantity}`)} * memory_usd_per_kib_second), -1)`

/** Cost of the nodes in each hour, with nine decimals; -1 if unpriced. */
export async function nodeCosts({ db }: TestApp, clusterId: string): Promise<number[]> {
  const { rows } = await sql<{ usd: string }>`
    select round(${cost('capacity')}, 9) as usd from node_hour join rate using (rate_id)
    where cluster_id = ${clusterId} group by hour order by hour`.execute(db)
  return rows.map(({ usd }) => Number(usd))
}

/** Cost of each workload in each hour. */
export async function workloadCosts({ db }: TestApp, clusterId: string): Promise<number[]> {
  const { rows } = await sql<{ usd: string }>`
    select ${cost('alloc')} as usd from workload_hour join rate using (rate_id)
    where cluster_id = ${clusterId} group by hour, workload_name order by hour, workload_name`.execute(db)
  return rows.map(({ usd }) => Number(usd))
}

/** All stored values of the hours except their rates. */
export async function quantities({ db }: TestApp, clusterId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select to_jsonb(h) - 'rate_id' as row from workload_hour h where cluster_id = ${clusterId}
    union all select to_jsonb(h) - 'rate_id' from node_hour h where cluster_id = ${clusterId} order by 1`.execute(db)
  return rows
}

export type StoredSums = { table: string; hour: Date; name: string; seconds: string }[]

/** All values except IDs and bridged flags. */
export async function storedSums({ db }: Pick<TestApp, 'db'>, clusterId: string): Promise<StoredSums> {
  const { rows } = await sql<StoredSums[number]>`
    select 'workload' as table, hour, namespace || '/' || workload_name || labels::text as name, sum(seconds) as seconds,
      sum(cpu_request) as a, sum(cpu_usage) as b, sum(cpu_alloc) as c, sum(cpu_used) as d, sum(cpu_known) as e,
      sum(memory_request) as f, sum(memory_usage) as g, sum(memory_alloc) as h, sum(memory_used) as i, sum(memory_known) as j
    from workload_hour where cluster_id = ${clusterId} group by 1, 2, 3
    union all
    select 'node', hour, node_uid, sum(seconds), sum(cpu_capacity), sum(cpu_allocatable), sum(cpu_alloc), sum(cpu_used),
      sum(cpu_reserved), sum(memory_capacity), sum(memory_allocatable), sum(memory_alloc), sum(memory_used), sum(memory_reserved)
    from node_hour where cluster_id = ${clusterId} group by 1, 2, 3
    order by 1, 2, 3`.execute(db)
  return rows
}
