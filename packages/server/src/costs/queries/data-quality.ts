import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

type Span = { from: Date; to: Date }

export type BatchCounts = {
  received: number
  folded: number
  pending: number
  quarantined: number
  rejectedRecords: number
}

export async function countBatches(tx: Db, clusterId: string, { from, to }: Span): Promise<BatchCounts> {
  const { rows } = await sql<BatchCounts>`
    select count(*)::int as received,
      (count(*) filter (where state = 'folded'))::int as folded,
      (count(*) filter (where state = 'pending'))::int as pending,
      (count(*) filter (where state = 'quarantined'))::int as quarantined,
      coalesce(sum(rejected_records), 0)::int as "rejectedRecords"
    from ingest_batch where cluster_id = ${clusterId} and received_at >= ${from} and received_at < ${to}`.execute(tx)
  return rows[0] ?? { received: 0, folded: 0, pending: 0, quarantined: 0, rejectedRecords: 0 }
}

export type FaultyBatch = { batchId: string; receivedAt: Date; rejectedRecords: number; reason: string | null }

export async function listFaultyBatches(
  tx: Db,
  clusterId: string,
  { from, to }: Span,
  { isQuarantined, limit }: { isQuarantined: boolean; limit: number },
): Promise<FaultyBatch[]> {
  const { rows } = await sql<FaultyBatch>`
    select batch_id as "batchId", received_at as "receivedAt", rejected_records as "rejectedRecords", reason
    from ingest_batch
    where cluster_id = ${clusterId} and received_at >= ${from} and received_at < ${to}
      and ${isQuarantined ? sql`state = 'quarantined'` : sql`state = 'folded' and rejected_records > 0`}
    order by received_at desc, batch_id limit ${limit}`.execute(tx)
  return rows
}

export type WrittenHour = { hour: Date; revision: number }

export function listWrittenHours(tx: Db, clusterId: string, { from, to }: Span): Promise<WrittenHour[]> {
  return tx
    .selectFrom('folded_hour')
    .select(['hour', 'revision'])
    .where('cluster_id', '=', clusterId)
    .where('hour', '>=', from)
    .where('hour', '<', to)
    .orderBy('hour')
    .execute()
}

/** There is no data before it. */
export async function findFirstHour(tx: Db, clusterId: string): Promise<Date | undefined> {
  const row = await tx
    .selectFrom('folded_hour')
    .select('hour')
    .where('cluster_id', '=', clusterId)
    .orderBy('hour')
    .limit(1)
    .executeTakeFirst()
  return row?.hour
}
