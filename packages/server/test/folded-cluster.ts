import { sql } from 'kysely'
import { fold } from '../src/jobs/fold.ts'
import { aCluster } from './people.ts'
import { sendBatch } from './send-batch.ts'
import { batchesOf, endSecond, startSecond, type SmallWorld } from './small-world.ts'
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

/** A cluster with two whole hours behind it, ten minutes into the third. */
export async function aFoldedCluster(t: TestApp, world = oneNode) {
  const cluster = await aCluster(t)
  t.clock.now = firstHour
  for (const [index, batch] of batchesOf(world, { minutesPerBatch: 10 }).entries())
    await sendBatch(t, cluster.agentToken, batch, { seq: index + 1 })
  t.clock.now = new Date(endSecond * 1000)
  await fold(t.deps, { clusterId: cluster.clusterId })
  return cluster
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
