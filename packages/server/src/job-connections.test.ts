import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { fillClusterTables } from '../test/fill-tables.ts'
import { patience } from '../test/patience.ts'
import { useTestApp } from '../test/test-app.ts'
import { isWaitingForLock } from '../test/waiting-for-lock.ts'
import { enqueue } from './platform/jobs/job-queue.ts'
import { runJobs } from './job-connections.ts'

const t = useTestApp()

const holders = async () => (await t.db.selectFrom('fold_lease').select('holder').execute()).map(({ holder }) => holder)

/** How many connections are open under this name. */
async function connectionsOf(name: string): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity where application_name = ${name}`.execute(t.db)
  return rows.length
}

const named = (name: string) => `${t.url}?application_name=${name}`

test('a stopping replica releases its lease before its running job ends, and jobs use separate connections', async () => {
  await fillClusterTables(t.db, 'cls_held', 1)
  const client = await t.pool.connect()
  await client.query("begin; select from cluster_state where cluster_id = 'cls_held' for update")
  const stop = await runJobs(t.deps, { databaseUrl: named('own_jobs'), holder: 'leaving' })
  await enqueue(t.db, 'purge-cluster', { clusterId: 'cls_held' })
  await vi.waitUntil(() => isWaitingForLock(t.db), patience)
  const { rows: waiting } = await sql<{ name: string }>`
    select application_name as name from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db)
  expect(waiting).toEqual([{ name: 'own_jobs' }])
  expect(await holders()).toEqual(['leaving'])

  const stopping = stop()
  await vi.waitUntil(async () => (await holders()).length === 0, patience)
  expect(await isWaitingForLock(t.db)).toBe(true)
  await client.query('commit')
  client.release()
  await stopping
  await vi.waitUntil(async () => (await connectionsOf('own_jobs')) === 0, patience)
})

test('a queue that cannot start leaves no lease and no connection', async () => {
  await sql`insert into graphile_worker.migrations (id, breaking) values (1000000, true)`.execute(t.db)
  await expect(runJobs(t.deps, { databaseUrl: named('failed_jobs'), holder: 'refused' })).rejects.toThrow('breaking')
  expect(await holders()).toEqual([])
  await vi.waitUntil(async () => (await connectionsOf('failed_jobs')) === 0, patience)
})
