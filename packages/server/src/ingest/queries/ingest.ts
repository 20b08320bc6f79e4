import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type NewBatch = {
  clusterId: string
  batchId: string
  epoch: string
  seq: number
  kind: 'live' | 'backfill'
  digest: Buffer
  body: Buffer
  now: Date
}

export type StoredBatch = { kind: 'stored' } | { kind: 'duplicate' } | { kind: 'conflict'; with: 'batch_id' | 'seq' }

/** Returns the pinned uid: of two concurrent ones, the first. */
export async function pinKubeSystemUid(tx: Db, clusterId: string, uid: string): Promise<string> {
  const { rows } = await sql<{ uid: string }>`
    update cluster set kube_system_uid = coalesce(kube_system_uid, ${uid}) where cluster_id = ${clusterId}
    returning kube_system_uid as uid`.execute(tx)
  return rows[0]?.uid ?? uid
}

/** Whether another cluster has this uid. Concurrent callers wait until this transaction ends. */
export async function isUidTaken(tx: Db, clusterId: string, uid: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plimsoll uid ${uid}`}, 0))`.execute(tx)
  const other = await tx
    .selectFrom('cluster')
    .select('cluster_id')
    .where('kube_system_uid', '=', uid)
    .where('cluster_id', '<>', clusterId)
    .executeTakeFirst()
  return other !== undefined
}

/** Another Kubernetes cluster reported with the token of this cluster. */
export async function noteForeignUid(db: Db, clusterId: string, uid: string, now: Date): Promise<void> {
  const set = { foreign_uid: uid, foreign_uid_at: now }
  await db.updateTable('cluster_state').set(set).where('cluster_id', '=', clusterId).execute()
}

export async function insertBatch(tx: Db, batch: NewBatch): Promise<StoredBatch> {
  const { clusterId, batchId, epoch, seq, kind, digest, body, now } = batch
  const made = await tx
    .insertInto('ingest_batch')
    .values({ cluster_id: clusterId, batch_id: batchId, epoch, seq, kind, digest, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('batch_id')
    .executeTakeFirst()
  if (!made) return earlierBatch(tx, batch)
  await tx
    .insertInto('ingest_body')
    .values({ cluster_id: clusterId, batch_id: batchId, received_day: now, body })
    .execute()
  return { kind: 'stored' }
}

/** The same id with the same bytes is a repetition; anything else is an error of the sender. */
async function earlierBatch(tx: Db, { clusterId, batchId, digest }: NewBatch): Promise<StoredBatch> {
  const earlier = await tx
    .selectFrom('ingest_batch')
    .select('digest')
    .where('cluster_id', '=', clusterId)
    .where('batch_id', '=', batchId)
    .executeTakeFirst()
  if (!earlier) return { kind: 'conflict', with: 'seq' }
  return earlier.digest.equals(digest) ? { kind: 'duplicate' } : { kind: 'conflict', with: 'batch_id' }
}

/** Moves the acknowledged end of the epoch to the last batch without a gap. */
export async function advanceEpoch(tx: Db, clusterId: string, epoch: string, now: Date) {
  await tx
    .insertInto('ingest_epoch')
    .values({ cluster_id: clusterId, epoch, started_at: now })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'epoch']).doNothing())
    .execute()
  const { rows } = await sql<{ acked: number; folded: number }>`
    update ingest_epoch e set acked_seq = (
      select coalesce(max(run.seq), e.acked_seq) from (
        select b.seq, row_number() over (order by b.seq) as position
        from ingest_batch b
        where b.cluster_id = e.cluster_id and b.epoch = e.epoch and b.seq > e.acked_seq) run
      where run.seq = e.acked_seq + run.position)
    where e.cluster_id = ${clusterId} and e.epoch = ${epoch}
    returning acked_seq::float8 as acked, folded_seq::float8 as folded`.execute(tx)
  return rows[0] ?? { acked: 0, folded: 0 }
}

export async function noteAgentSeen(tx: Db, clusterId: string, now: Date): Promise<void> {
  await tx
    .updateTable('cluster_state')
    .set({ agent_last_seen_at: now })
    .where('cluster_id', '=', clusterId)
    .where((eb) => eb.or([eb('agent_last_seen_at', 'is', null), eb('agent_last_seen_at', '<', now)]))
    .execute()
}

export async function deleteOldBatches(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('ingest_batch').where('received_at', '<', before).execute()
}

/** The rejections of the batches of this epoch, for the agent. */
export async function listRejections(db: Db, clusterId: string, epoch: string) {
  const { rows } = await sql<{ batchId: string; reason: string; records: number }>`
    select batch_id as "batchId", coalesce(reason, '') as reason, rejected_records as records
    from ingest_batch
    where cluster_id = ${clusterId} and epoch = ${epoch} and (rejected_records > 0 or state = 'quarantined')
    order by seq desc limit 20`.execute(db)
  return rows
}
