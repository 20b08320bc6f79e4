import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fillClusterTables } from '../test/fill-tables.ts'
import { useTestApp } from '../test/test-app.ts'
import { workOff } from '../test/work-off.ts'
import type { CostDeps } from './costs/index.ts'
import { foldLater } from './ingest/fold-later.ts'
import { enqueue } from './platform/jobs/job-queue.ts'
import { lanes } from './platform/jobs/job-lanes.ts'
import { startJobs } from './job-handlers.ts'
import { patience } from '../test/patience.ts'

const t = useTestApp()

const rowsOf = async (clusterId: string) =>
  (await t.db.selectFrom('cluster_state').select('cluster_id').where('cluster_id', '=', clusterId).execute()).length

type Job = { attempts: number; max_attempts: number; last_error: string | null }

async function findJob(): Promise<Job | undefined> {
  const { rows } = await sql<Job>`
    select attempts, max_attempts, last_error from graphile_worker.jobs where task_identifier = 'purge-cluster'`.execute(
    t.db,
  )
  return rows[0]
}

test('a failed job is stored with its error, retried and then done', async () => {
  await fillClusterTables(t.db, 'cls_stubborn', 1)
  await sql
    .raw(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not yet'; end $$;
       create trigger refuse before delete on cluster_state for each row execute function refuse()`,
    )
    .execute(t.db)
  await enqueue(t.db, 'purge-cluster', { clusterId: 'cls_stubborn' })

  const runner = await startJobs(t.deps, t.pool)
  await vi.waitUntil(async () => (await findJob())?.last_error != null, patience)
  await runner.stop()
  expect(await findJob()).toMatchObject({ max_attempts: 25, last_error: expect.stringContaining('not yet') as string })
  expect(await rowsOf('cls_stubborn')).toBe(1)

  await sql.raw('drop trigger refuse on cluster_state').execute(t.db)
  await sql.raw('update graphile_worker._private_jobs set run_at = now()').execute(t.db)
  await workOff(t)
  expect(await rowsOf('cls_stubborn')).toBe(0)
})

test('a job is queued if and only if its change is committed', async () => {
  const failed = t.db.transaction().execute(async (tx) => {
    await enqueue(tx, 'purge-cluster', { clusterId: 'cls_kept' })
    throw new Error('the change fails')
  })
  await expect(failed).rejects.toThrow('the change fails')
  expect(await findJob()).toBeUndefined()
})

test('a queue of fifty analyses delays no fold', async () => {
  let release = () => undefined as void
  const held = new Promise<void>((resolve) => (release = resolve))
  const started: string[] = []
  const done: string[] = []
  const analyse = async (id: string) => {
    started.push(id)
    await held
    done.push(id)
  }
  const deps: CostDeps = {
    ...t.deps,
    analysing: { ...t.deps.analysing, analyse },
    folding: { ...t.deps.folding, fold: async (id) => void done.push(`fold ${id}`) },
  }
  for (let n = 0; n < 50; n += 1) await enqueue(t.db, 'analyse', { clusterId: `cls_${n}` })
  const runner = await startJobs(deps, t.pool, { isScheduling: false })
  onTestFinished(() => runner.stop())
  onTestFinished(() => release())
  // From here on every analysis worker is busy.
  await vi.waitUntil(() => started.length === lanes.analyse.width, patience)
  await foldLater(t.db, 'cls_urgent')
  await vi.waitUntil(() => done.length > 0, patience)
  expect(done).toEqual(['fold cls_urgent'])
  release()
  await vi.waitUntil(() => done.length === 51, patience)
})

test('a waiting fold keeps its place in the queue when another batch requests it again', async () => {
  const queuedAt = async () => {
    const { rows } = await sql<{ run_at: Date }>`
      select run_at from graphile_worker.jobs where key = 'fold cls_patient'`.execute(t.db)
    return rows.map(({ run_at }) => run_at.getTime())
  }
  await foldLater(t.db, 'cls_patient')
  const before = await queuedAt()
  await foldLater(t.db, 'cls_patient')
  await foldLater(t.db, 'cls_patient', { anywhere: true })
  expect(before).toHaveLength(1)
  expect(await queuedAt()).toEqual(before)
  await workOff(t)
})

test('stopping waits for the running job', async () => {
  await fillClusterTables(t.db, 'cls_slow', 1)
  const holder = await t.pool.connect()
  await holder.query("begin; select from cluster_state where cluster_id = 'cls_slow' for update")
  await enqueue(t.db, 'purge-cluster', { clusterId: 'cls_slow' })
  const runner = await startJobs(t.deps, t.pool)
  await vi.waitUntil(async () => (await findJob())?.attempts === 1, patience)

  let stopped = false
  const stopping = runner.stop().then(() => (stopped = true))
  await holder.query('select 1')
  expect(stopped).toBe(false)
  await holder.query('commit')
  holder.release()
  await stopping
  expect(await rowsOf('cls_slow')).toBe(0)
  expect(await findJob()).toBeUndefined()
})
