import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** How long a fold waits for missing batches. */
export const gapWaitMs = 15 * 60_000

/** A holder that ignores batches for this long is overloaded or failing, and other replicas may help. */
const overdueMs = 60_000

/**
 * Clusters with batches to fold, with batches after the checkpoint, or with a last hour that may be complete: a silent
 * agent must not keep its last hour open. Only live batches that can be folded now count as overdue. A batch after a
 * missing one, or of a backfill, waits as designed.
 */
export async function listClustersToFold(db: Db, now: Date): Promise<{ clusterId: string; isOverdue: boolean }[]> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const { rows } = await sql<{ clusterId: string; isOverdue: boolean }>`
    select cluster_id as "clusterId", bool_or(is_overdue) as "isOverdue" from (
      select b.cluster_id, b.kind = 'live' and b.received_at < ${before(overdueMs)}
        and (b.seq <= e.folded_seq + 1 or b.received_at < ${before(gapWaitMs)}) as is_overdue
      from ingest_batch b join ingest_epoch e on e.cluster_id = b.cluster_id and e.epoch = b.epoch
      where b.state = 'pending'
      union
      select cluster_id, false from ingest_batch where unsaved and received_at < ${before(15 * 60_000)}
      union
      select cluster_id, false from fold_checkpoint
      where folded_at between ${before(3 * 3_600_000)} and ${before(15 * 60_000)}) as waiting
    group by cluster_id`.execute(db)
  return rows
}

/** The lock ends with its transaction and connection: a killed worker leaves no lock. */
export async function tryLockFold(tx: Db, clusterId: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`plimsoll fold ${clusterId}`}, 0)) as locked`.execute(tx)
  return rows[0]?.locked === true
}

export type PendingBatch = { batchId: string; epoch: string; seq: number; receivedAt: Date }

/**
 * Batches that can be folded now, in the order of their epochs: batches after the checkpoint, batches without a gap or
 * after the wait for a gap, and late batches from inside a gap.
 */
export async function listFoldable(
  tx: Db,
  clusterId: string,
  { waitedSince, limit, except }: { waitedSince: Date; limit: number; except: readonly string[] },
): Promise<PendingBatch[]> {
  const { rows } = await sql<PendingBatch>`
    with pending as (
      select b.batch_id, b.epoch, b.seq, b.received_at, e.started_at, b.seq <= e.folded_seq as is_late,
        b.seq - e.folded_seq - row_number() over (
          partition by b.epoch, b.seq <= e.folded_seq order by b.seq) as missing
      from ingest_batch b join ingest_epoch e on e.cluster_id = b.cluster_id and e.epoch = b.epoch
      where b.cluster_id = ${clusterId} and b.state = 'pending' and b.kind = 'live'),
    ready as (
      select batch_id, epoch, seq, received_at, started_at,
        is_late or missing = 0
          or min(received_at) over (partition by epoch, is_late, missing order by seq) < ${waitedSince} as is_ready
      from pending
      union all
      select b.batch_id, b.epoch, b.seq, b.received_at, e.started_at, true
      from ingest_batch b join ingest_epoch e on e.cluster_id = b.cluster_id and e.epoch = b.epoch
      where b.cluster_id = ${clusterId} and b.unsaved)
    select batch_id as "batchId", epoch, seq::float8 as seq, received_at as "receivedAt" from ready
    where is_ready and batch_id <> all(${except})
    order by started_at, epoch, seq
    limit ${limit}`.execute(tx)
  return rows
}

export async function findBody(tx: Db, clusterId: string, batchId: string): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('ingest_body')
    .select('body')
    .where('cluster_id', '=', clusterId)
    .where('batch_id', '=', batchId)
    .executeTakeFirst()
  return row?.body
}

export type Rejected = { batchId: string; records: number; reason: string | null; isUnresolved: boolean }

/** A process that starts from the checkpoint folds them again, until a checkpoint contains them. */
export async function recordFolded(tx: Db, clusterId: string, batches: readonly Rejected[]): Promise<void> {
  if (batches.length === 0) return
  await sql`
    update ingest_batch b set
      state = 'folded', unsaved = true, rejected_records = f.records, reason = f.reason, unresolved = f."isUnresolved"
    from jsonb_to_recordset(${JSON.stringify(batches)}::jsonb)
      as f ("batchId" text, records int, reason text, "isUnresolved" boolean)
    where b.cluster_id = ${clusterId} and b.batch_id = f."batchId"`.execute(tx)
}

/**
 * Batches after a gap were unusable. Once the gap is filled they are folded again, and earlier results do not count
 * twice.
 */
export async function reopenUnresolved(tx: Db, clusterId: string, epochs: readonly string[]): Promise<string[]> {
  if (epochs.length === 0) return []
  const { rows } = await sql<{ batchId: string }>`
    update ingest_batch b set state = 'pending', unsaved = false
    where cluster_id = ${clusterId} and epoch = any(${epochs}) and state = 'folded' and unresolved
      and exists (select from ingest_body y where y.cluster_id = b.cluster_id and y.batch_id = b.batch_id)
    returning batch_id as "batchId"`.execute(tx)
  return rows.map(({ batchId }) => batchId)
}

export async function recordSaved(tx: Db, clusterId: string, batchIds: readonly string[]): Promise<void> {
  await sql`
    update ingest_batch set unsaved = false
    where cluster_id = ${clusterId} and unsaved and batch_id = any(${batchIds})`.execute(tx)
}

/** An unreadable body never blocks its cluster: it is quarantined with its reason, and later batches continue. */
export async function quarantine(tx: Db, clusterId: string, batchId: string, reason: string): Promise<void> {
  await sql`
    with aside as (
      update ingest_batch set state = 'quarantined', unsaved = false, reason = ${reason.slice(0, 1000)}
      where cluster_id = ${clusterId} and batch_id = ${batchId} and (state = 'pending' or unsaved)
      returning cluster_id, epoch, seq)
    update ingest_epoch e set folded_seq = greatest(e.folded_seq, a.seq)
    from aside a where e.cluster_id = a.cluster_id and e.epoch = a.epoch`.execute(tx)
}

/** For each epoch, up to the last of these batches. */
export async function advanceFolded(tx: Db, clusterId: string, batches: readonly PendingBatch[]): Promise<void> {
  const last = new Map<string, number>()
  for (const { epoch, seq } of batches) last.set(epoch, Math.max(seq, last.get(epoch) ?? 0))
  for (const [epoch, seq] of last) {
    await sql`
      update ingest_epoch set folded_seq = greatest(folded_seq, ${seq})
      where cluster_id = ${clusterId} and epoch = ${epoch}`.execute(tx)
  }
}

/** Zero before the first. */
export async function findCheckpointVersion(tx: Db, clusterId: string): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    select version::float8 as version from fold_checkpoint where cluster_id = ${clusterId}`.execute(tx)
  return rows[0]?.version ?? 0
}

export async function findCheckpointState(tx: Db, clusterId: string): Promise<Buffer | undefined> {
  const row = await tx
    .selectFrom('fold_checkpoint')
    .select('state')
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row?.state ?? undefined
}

type Folded = { now: Date; holder: string | null }

export async function writeCheckpoint(
  tx: Db,
  clusterId: string,
  { version, state, now, holder }: { version: number; state: Buffer } & Folded,
): Promise<void> {
  const row = { version, state, folded_at: now, holder }
  await tx
    .insertInto('fold_checkpoint')
    .values({ cluster_id: clusterId, ...row })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(row))
    .execute()
}

/** The state is unchanged; the sweep uses this time to find silent clusters. */
export async function noteFoldedAt(tx: Db, clusterId: string, { now, holder }: Folded): Promise<void> {
  await tx
    .insertInto('fold_checkpoint')
    .values({ cluster_id: clusterId, version: 0, state: null, folded_at: now, holder })
    .onConflict((conflict) => conflict.column('cluster_id').doUpdateSet({ folded_at: now, holder }))
    .execute()
}
