import { sql } from 'kysely'
import { digestOf, type EvidenceDigest, type StoredEvidence } from '@plimsoll/pipeline/advice'
import type { Db } from '../../platform/db/database.ts'

export function findEvidence(db: Db, clusterId: string, id: string) {
  return db
    .selectFrom('recommendation_evidence')
    .select(['evidence', 'written_at'])
    .where('cluster_id', '=', clusterId)
    .where('recommendation_id', '=', id)
    .executeTakeFirst()
}

export async function listEvidenceDigests(
  db: Db,
  clusterIds: readonly string[],
  ids: readonly string[],
): Promise<Map<string, EvidenceDigest>> {
  const { rows } = await sql<DigestRow>`
    select recommendation_id as id, written_at, digest,
      case when (digest ->> 'written_at')::timestamptz = written_at then null else evidence end as evidence
    from recommendation_evidence
    where cluster_id = any(${clusterIds}) and recommendation_id = any(${ids})`.execute(db)
  return new Map(
    rows.map(({ id, written_at, digest, evidence }) => [id, evidence ? digestOf(evidence, written_at) : digest]),
  )
}

type DigestRow = { id: string; written_at: Date } & (
  { digest: EvidenceDigest; evidence: null } | { digest: unknown; evidence: StoredEvidence }
)

const evidenceAtOnce = 200
const evidenceLifeMs = 24 * 3_600_000

export type NewEvidence = { id: string; evidence: StoredEvidence }

type EvidenceOptions<Identified> = {
  /** The time of the snapshot. */
  asOf: Date
  /** When history had last been received by then. */
  historyReceivedAt: Date | null
  /** Always written. */
  always: ReadonlySet<string>
  /** Created only for written evidence. */
  make: (some: readonly Identified[]) => Promise<NewEvidence[]>
}

/** Large, so written only with a change, with new history, or once a day to follow the window. */
export async function writeEvidence<Identified extends { id: string }>(
  tx: Db,
  clusterId: string,
  all: readonly Identified[],
  { asOf, historyReceivedAt, always, make }: EvidenceOptions<Identified>,
): Promise<void> {
  const fresh = await listFreshEvidence(tx, clusterId, asOf, historyReceivedAt)
  const due = all.filter(({ id }) => always.has(id) || !fresh.has(id))
  for (let from = 0; from < due.length; from += evidenceAtOnce) {
    const some = await make(due.slice(from, from + evidenceAtOnce))
    const rows = some.map((each) => ({ ...each, digest: digestOf(each.evidence, asOf) }))
    await sql`
      insert into recommendation_evidence (cluster_id, recommendation_id, evidence, digest, written_at, past_told_at)
      select ${clusterId}, id, evidence, digest, ${asOf}, ${historyReceivedAt}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as record (id text, evidence jsonb, digest jsonb)
      on conflict (cluster_id, recommendation_id) do update set
        evidence = excluded.evidence, digest = excluded.digest, written_at = excluded.written_at, past_told_at = excluded.past_told_at`.execute(
      tx,
    )
  }
}

/**
 * Evidence has the age of its snapshot, not of the analysis. History received later changes the content of the window.
 */
async function listFreshEvidence(
  tx: Db,
  clusterId: string,
  asOf: Date,
  historyReceivedAt: Date | null,
): Promise<Set<string>> {
  const since = new Date(asOf.getTime() - evidenceLifeMs)
  const { rows } = await sql<{ id: string }>`
    select recommendation_id as id from recommendation_evidence
    where cluster_id = ${clusterId} and written_at > ${since}
      and coalesce(past_told_at, '-infinity') >= coalesce(${historyReceivedAt}::timestamptz, '-infinity')`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
