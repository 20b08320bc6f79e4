import type { JobStage, SyncResult } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type JobRow = Selectable<Tables['job']>

export function findJob(db: Db, jobId: string): Promise<JobRow | undefined> {
  return db.selectFrom('job').selectAll().where('job_id', '=', jobId).executeTakeFirst()
}

export function findLiveSync(db: Db, clusterId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('kind', '=', 'sync')
    .where('finished_at', 'is', null)
    .executeTakeFirst()
}

/** Requests a new snapshot, which the agent learns from its next response. The caller has locked the cluster. */
export async function insertSync(tx: Db, { jobId, clusterId, now }: { jobId: string; clusterId: string; now: Date }) {
  await tx
    .insertInto('job')
    .values({
      job_id: jobId,
      cluster_id: clusterId,
      kind: 'sync',
      stage: 'queued',
      result: null,
      error: null,
      created_at: now,
      updated_at: now,
      finished_at: null,
    })
    .execute()
  await tx.updateTable('cluster_state').set({ sync_requested_at: now }).where('cluster_id', '=', clusterId).execute()
}

export async function moveJob(db: Db, jobId: string, stage: JobStage, now: Date): Promise<void> {
  await db
    .updateTable('job')
    .set({ stage, updated_at: now })
    .where('job_id', '=', jobId)
    .where('finished_at', 'is', null)
    .execute()
}

/** The agent learns of it with its next batch. An earlier request stays. */
export async function requestSnapshot(tx: Db, clusterId: string, now: Date): Promise<void> {
  await tx
    .updateTable('cluster_state')
    .set({ sync_requested_at: now })
    .where('cluster_id', '=', clusterId)
    .where('sync_requested_at', 'is', null)
    .execute()
}

export async function isSyncRequested(db: Db, clusterId: string): Promise<boolean> {
  const row = await db
    .selectFrom('cluster_state')
    .select('sync_requested_at')
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return (row?.sync_requested_at ?? null) !== null
}

/** A snapshot received after the request fulfils it. In the transaction that folds the snapshot. */
export async function fulfilSync(tx: Db, clusterId: string, snapshotReceivedAt: Date, now: Date): Promise<void> {
  const met = await tx
    .updateTable('cluster_state')
    .set({ sync_requested_at: null })
    .where('cluster_id', '=', clusterId)
    .where('sync_requested_at', '<=', snapshotReceivedAt)
    .returning('cluster_id')
    .executeTakeFirst()
  if (met)
    await finishSync(tx, clusterId, { agentAnswered: true, message: 'The figures include a fresh snapshot.' }, now)
}

export type SyncOutcome = { agentAnswered: boolean; message: string }

/** The snapshot or the deadline ends the job, whichever comes first; the other finds it finished. */
export async function finishSync(tx: Db, clusterId: string, outcome: SyncOutcome, now: Date): Promise<void> {
  const state = await tx
    .selectFrom('cluster_state')
    .select(['last_sync_at', 'node_count', 'pod_count'])
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  const result: SyncResult = {
    agent_answered: outcome.agentAnswered,
    message: outcome.message,
    last_sync_at: state?.last_sync_at?.toISOString() ?? null,
    node_count: state?.node_count ?? 0,
    pod_count: state?.pod_count ?? 0,
  }
  await sql`
    update job set stage = 'done', result = ${JSON.stringify(result)}, updated_at = ${now}, finished_at = ${now}
    where cluster_id = ${clusterId} and kind = 'sync' and finished_at is null`.execute(tx)
}

export async function failJob(db: Db, jobId: string, error: string, now: Date): Promise<void> {
  await db
    .updateTable('job')
    .set({ stage: 'done', error, updated_at: now, finished_at: now })
    .where('job_id', '=', jobId)
    .where('finished_at', 'is', null)
    .execute()
}

const syncMinutesMax = 10

/** A sync with a lost job would block every other sync of its cluster. */
export async function failHungSyncs(db: Db, now: Date): Promise<void> {
  const error = `The sync did not finish within ${syncMinutesMax} minutes. Start another sync.`
  await db
    .updateTable('job')
    .set({ stage: 'done', error, updated_at: now, finished_at: now })
    .where('kind', '=', 'sync')
    .where('finished_at', 'is', null)
    .where('created_at', '<', new Date(now.getTime() - syncMinutesMax * 60_000))
    .execute()
}

/** Stored for a week. */
export async function deleteOldJobs(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('job').where('created_at', '<', before).where('finished_at', 'is not', null).execute()
}
