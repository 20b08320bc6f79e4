import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export type JobPayloads = {
  analyse: { clusterId: string }
  fold: { clusterId: string }
  'purge-cluster': { clusterId: string }
  reprice: Record<string, never>
  retention: Record<string, never>
  'sum-up-days': { clusterId: string }
  sweep: Record<string, never>
  sync: { jobId: string }
}

/** Queued in the caller's transaction: the job exists if and only if the change does. Of one key, one waits at a time. */
export async function enqueue<Name extends keyof JobPayloads>(
  tx: Db,
  name: Name,
  payload: JobPayloads[Name],
  { key, delaySeconds = 0 }: { key?: string; delaySeconds?: number } = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, max_attempts => 25, job_key => ${key ?? null}::text,
      run_at => now() + make_interval(secs => ${delaySeconds}))`.execute(tx)
}

/** However often it is asked for, one analysis of a cluster waits at a time; one that runs meanwhile is followed by another. */
export const analyseLater = (tx: Db, clusterId: string, { delaySeconds = 0 }: { delaySeconds?: number } = {}) =>
  enqueue(tx, 'analyse', { clusterId }, { key: `analyse ${clusterId}`, delaySeconds })
