import { sql } from 'kysely'
import { vi } from 'vitest'
import { startJobs } from '../src/job-handlers.ts'
import type { TestApp } from './test-app.ts'
import { patience } from './patience.ts'

/** Runs the real queue until no job is waiting. A minute may pass meanwhile, so nothing is scheduled by the clock. */
export async function workOff({ db, deps, pool }: TestApp): Promise<void> {
  const runner = await startJobs(deps, pool, { isScheduling: false })
  try {
    await vi.waitUntil(async () => (await jobsWaiting(db)) === 0, patience)
  } finally {
    await runner.stop()
  }
}

async function jobsWaiting(db: TestApp['db']): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from graphile_worker.jobs`.execute(db)
  return rows[0]?.count ?? 0
}
