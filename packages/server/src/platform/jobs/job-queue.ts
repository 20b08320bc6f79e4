import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { lanePriority, type JobName, type JobPayload } from './job-table.ts'

type QueueOptions = {
  key?: string
  delaySeconds?: number
  /** Only the replica that holds the fold state of this cluster takes the job, while that replica lives. */
  withStateOf?: string
}

/** Queued in the caller's transaction: the job exists if and only if the change does. Of one key, one waits at a time. */
export async function enqueue<Name extends JobName>(
  tx: Db,
  name: Name,
  payload: JobPayload<Name>,
  { key, delaySeconds = 0, withStateOf }: QueueOptions = {},
): Promise<void> {
  await sql`
    select graphile_worker.add_job(
      ${name}, ${JSON.stringify(payload)}::json, max_attempts => 25, job_key => ${key ?? null}::text,
      run_at => now() + make_interval(secs => ${delaySeconds}), priority => ${lanePriority(name)}::integer,
      flags => (select array[holder] from fold_checkpoint where cluster_id = ${withStateOf ?? null} and holder is not null))`.execute(
    tx,
  )
}

/** `anywhere` lets every replica take the job, also while the one that holds the state lives. */
export const foldLater = (tx: Db, clusterId: string, { delaySeconds = 0, anywhere = false } = {}) =>
  enqueue(
    tx,
    'fold',
    { clusterId },
    { key: `fold ${clusterId}`, delaySeconds, ...(anywhere ? {} : { withStateOf: clusterId }) },
  )

/** However often it is asked for, one analysis of a cluster waits at a time; one that runs meanwhile is followed by another. */
export const analyseLater = (tx: Db, clusterId: string, { delaySeconds = 0 }: { delaySeconds?: number } = {}) =>
  enqueue(tx, 'analyse', { clusterId }, { key: `analyse ${clusterId}`, delaySeconds })
