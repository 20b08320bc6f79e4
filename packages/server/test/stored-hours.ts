import { sql } from 'kysely'
import { startSecond, type SmallWorld } from './small-world.ts'
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

/** One m5.xlarge in eu-central-1, $0.23 an hour by the book, with two pods. */
export const oneNode: SmallWorld = {
  nodes: [{ uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity }],
  pods: [aPod('web'), aPod('worker')],
}

const cost = (quantity: string) => sql`
  coalesce(sum(${sql.ref(`cpu_${quantity}`)} * cpu_usd_per_microcore_second
    + ${sql.ref(`memory_${quantity}`)} * memory_usd_per_kib_second), -1)`

/** What the nodes cost in each hour, to nine decimals; -1 when unpriced. */
export async function nodeCosts({ db }: TestApp, clusterId: string): Promise<number[]> {
  const { rows } = await sql<{ usd: string }>`
    select round(${cost('capacity')}, 9) as usd from node_hour join rate using (rate_id)
    where cluster_id = ${clusterId} group by hour order by hour`.execute(db)
  return rows.map(({ usd }) => Number(usd))
}

/** What each workload costs in each hour. */
export async function workloadCosts({ db }: TestApp, clusterId: string): Promise<number[]> {
  const { rows } = await sql<{ usd: string }>`
    select ${cost('alloc')} as usd from workload_hour join rate using (rate_id)
    where cluster_id = ${clusterId} group by hour, workload_name order by hour, workload_name`.execute(db)
  return rows.map(({ usd }) => Number(usd))
}

/** Everything that is stored of the hours but their rates. */
export async function quantities({ db }: TestApp, clusterId: string): Promise<unknown[]> {
  const { rows } = await sql`
    select to_jsonb(h) - 'rate_id' as row from workload_hour h where cluster_id = ${clusterId}
    union all select to_jsonb(h) - 'rate_id' from node_hour h where cluster_id = ${clusterId} order by 1`.execute(db)
  return rows
}
