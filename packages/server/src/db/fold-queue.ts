import { sql } from 'kysely'
import type { Db } from './database.ts'

/**
 * Clusters with something to fold, or whose last hour may be over by now although nobody has sent anything since: an agent
 * that fell silent must not keep its last hour open.
 */
export async function listClustersToFold(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct cluster_id as id from ingest_batch where state = 'pending'
    union
    select cluster_id from fold_checkpoint
    where folded_at between ${new Date(now.getTime() - 3 * 3_600_000)} and ${new Date(now.getTime() - 15 * 60_000)}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Dies with its transaction and so with its connection: a killed worker leaves nothing locked. */
export async function tryLockFold(tx: Db, clusterId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`plimsoll fold ${clusterId}`}, 0)) as locked`.execute(tx)
  return rows[0]?.locked === true
}

export type PendingBatch = { batchId: string; epoch: string; seq: number; receivedAt: Date; body: Buffer | null }

/**
 * Batches that may be folded now, in the order of their epochs: without a hole before them, or after a hole that was waited
 * for long enough, or late ones from inside such a hole.
 */
export async function listFoldable(
  tx: Db,
  clusterId: string,
  { waitedSince, limit }: { waitedSince: Date; limit: number },
): Promise<PendingBatch[]> {
  const { rows } = await sql<PendingBatch>`
    select b.batch_id as "batchId", b.epoch, b.seq::float8 as seq, b.received_at as "receivedAt", y.body
    from ingest_batch b
    join ingest_epoch e on e.cluster_id = b.cluster_id and e.epoch = b.epoch
    left join ingest_body y on y.cluster_id = b.cluster_id and y.batch_id = b.batch_id
    where b.cluster_id = ${clusterId} and b.state = 'pending' and b.kind = 'live'
      and (b.seq <= e.acked_seq or exists (
        select from ingest_batch later
        where later.cluster_id = b.cluster_id and later.epoch = b.epoch and later.state = 'pending'
          and later.seq <= b.seq and later.seq > e.acked_seq and later.received_at < ${waitedSince}))
    order by e.started_at, b.epoch, b.seq
    limit ${limit}`.execute(tx)
  return rows
}

export async function markFolded(
  tx: Db,
  clusterId: string,
  batch: PendingBatch,
  rejected: { records: number; reason: string | null },
) {
  await tx
    .updateTable('ingest_batch')
    .set({ state: 'folded', rejected_records: rejected.records, reason: rejected.reason })
    .where('cluster_id', '=', clusterId)
    .where('batch_id', '=', batch.batchId)
    .execute()
  await advanceFolded(tx, clusterId, batch)
}

/** A body that cannot be read never blocks its cluster: it is set aside with its reason. */
export async function quarantine(tx: Db, clusterId: string, batch: PendingBatch, reason: string): Promise<void> {
  await tx
    .updateTable('ingest_batch')
    .set({ state: 'quarantined', reason })
    .where('cluster_id', '=', clusterId)
    .where('batch_id', '=', batch.batchId)
    .execute()
  await advanceFolded(tx, clusterId, batch)
}

async function advanceFolded(tx: Db, clusterId: string, { epoch, seq }: PendingBatch): Promise<void> {
  await sql`
    update ingest_epoch set folded_seq = greatest(folded_seq, ${seq})
    where cluster_id = ${clusterId} and epoch = ${epoch}`.execute(tx)
}

export async function findCheckpoint(
  tx: Db,
  clusterId: string,
): Promise<{ version: number; state: Buffer } | undefined> {
  const { rows } = await sql<{ version: number; state: Buffer }>`
    select version::float8 as version, state from fold_checkpoint where cluster_id = ${clusterId}`.execute(tx)
  return rows[0]
}

export async function writeCheckpoint(
  tx: Db,
  clusterId: string,
  { version, state, now }: { version: number; state: Buffer; now: Date },
) {
  const row = { version, state, folded_at: now }
  await tx
    .insertInto('fold_checkpoint')
    .values({ cluster_id: clusterId, ...row })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(row))
    .execute()
}
