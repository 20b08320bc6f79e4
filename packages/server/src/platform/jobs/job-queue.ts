import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../db/database.ts'
import { jobKey, lanePriority, type JobName, type JobPayload } from './job-lanes.ts'

type QueueOptions = {
  delaySeconds?: number
  /** A job with flags runs only in processes that do not forbid one of these flags. */
  flags?: RawBuilder<string[] | null>
  /** A waiting job with the same key keeps its place in the queue. By default it moves to the end. */
  keepsPlace?: boolean
}

/**
 * Queued in the transaction of the caller: the job exists if and only if the change does. Of one key, one job waits at
 * a time.
 */
export async function enqueue<Name extends JobName>(
  tx: Db,
  name: Name,
  payload: JobPayload<Name>,
  { delaySeconds = 0, flags = sql`null::text[]`, keepsPlace = false }: QueueOptions = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, max_attempts => 25, job_key => ${jobKey(name, payload)}::text,
      run_at => now() + make_interval(secs => ${delaySeconds}), priority => ${lanePriority(name)}::integer,
      flags => ${flags}, job_key_mode => ${keepsPlace ? 'preserve_run_at' : 'replace'}::text)`.execute(tx)
}

/** Whether a job with this key waits, runs, or will be retried. */
export async function isQueued<Name extends JobName>(db: Db, name: Name, payload: JobPayload<Name>): Promise<boolean> {
  const { rows } = await sql<{ isQueued: boolean }>`
    select exists (select from graphile_worker.jobs where key = ${jobKey(name, payload)} and attempts < max_attempts)
      as "isQueued"`.execute(db)
  return rows[0]?.isQueued === true
}
