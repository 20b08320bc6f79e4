import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export async function findBackfill(tx: Db, clusterId: string, epoch: string): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('backfill_checkpoint')
    .select('state')
    .where('cluster_id', '=', clusterId)
    .where('epoch', '=', epoch)
    .executeTakeFirst()
  return row?.state
}

export async function writeBackfill(
  tx: Db,
  { clusterId, epoch, state, now }: { clusterId: string; epoch: string; state: Buffer; now: Date },
): Promise<void> {
  const row = { state, folded_at: now }
  await tx
    .insertInto('backfill_checkpoint')
    .values({ cluster_id: clusterId, epoch, ...row })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'epoch']).doUpdateSet(row))
    .execute()
}

/** When history was last received; null: never, or forgotten. */
export async function findHistoryReceivedAt(tx: Db, clusterId: string): Promise<Date | null> {
  const row = await tx
    .selectFrom('backfill_checkpoint')
    .select((eb) => eb.fn.max('folded_at').as('at'))
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row?.at ?? null
}

export async function deleteOldBackfills(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('backfill_checkpoint').where('folded_at', '<', before).execute()
}

/** Nodes with measurements in these hours, by hours since 1970. */
export async function listMeasuredNodes(
  tx: Db,
  clusterId: string,
  hours: readonly Date[],
): Promise<Map<number, Set<string>>> {
  const { rows } = await sql<{ hour: Date; uids: string[] }>`
    select hour, array_agg(distinct node_uid) as uids from node_hour
    where cluster_id = ${clusterId} and hour = any(${hours}) and not bridged group by hour`.execute(tx)
  return new Map(rows.map(({ hour, uids }) => [hour.getTime() / 3_600_000, new Set(uids)]))
}

export type HistoryBatch = { batchId: string; epoch: string; seq: number; receivedAt: Date; body: Buffer | null }

/** In the order of its epoch, without a gap before it, or after the wait for the gap. */
export async function findNextHistoryBatch(
  tx: Db,
  clusterId: string,
  waitedSince: Date,
): Promise<HistoryBatch | undefined> {
  const { rows } = await sql<HistoryBatch>`
    select b.batch_id as "batchId", b.epoch, b.seq::float8 as seq, b.received_at as "receivedAt", y.body
    from ingest_batch b
    join ingest_epoch e on e.cluster_id = b.cluster_id and e.epoch = b.epoch
    left join ingest_body y on y.cluster_id = b.cluster_id and y.batch_id = b.batch_id
    where b.cluster_id = ${clusterId} and b.state = 'pending' and b.kind = 'backfill'
      and (b.seq <= e.acked_seq or b.received_at < ${waitedSince})
    order by e.started_at, b.epoch, b.seq
    limit 1`.execute(tx)
  return rows[0]
}

export async function recordHistoryBatch(
  tx: Db,
  clusterId: string,
  { batchId, epoch, seq }: HistoryBatch,
  { state, records, reason }: { state: 'folded' | 'quarantined'; records: number; reason: string | null },
): Promise<void> {
  await tx
    .updateTable('ingest_batch')
    .set({ state, rejected_records: records, reason })
    .where('cluster_id', '=', clusterId)
    .where('batch_id', '=', batchId)
    .execute()
  await sql`
    update ingest_epoch set folded_seq = greatest(folded_seq, ${seq})
    where cluster_id = ${clusterId} and epoch = ${epoch}`.execute(tx)
}
