import type { Drift, RecommendationStatus, VerificationState } from '@plimsoll/contract'
import { RULES, type ContainerSpec } from '@plimsoll/engine/rules'
import { sql } from 'kysely'
import { chunks } from '@plimsoll/pipeline/fold'
import type { BankableChange, StoredFinding } from '@plimsoll/pipeline/advice'
import type { Db } from '../../platform/db/database.ts'
import type { RecommendationRow } from './recommendations.ts'

export type OpenRow = RecommendationRow & { status: Extract<RecommendationStatus, 'pending' | 'approved'> }

/** One analysis of a cluster writes at a time; the lock ends with its transaction. */
export async function lockAnalysis(tx: Db, clusterId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plimsoll analyse ${clusterId}`}, 0))`.execute(tx)
}

/**
 * Locks all rows that an analysis may write, including applied ones, in one statement and in the common lock order. A
 * concurrent batch of moves then never deadlocks. Returns the open ones, without those closed meanwhile.
 */
export async function lockOpen(tx: Db, clusterId: string, doneSince: Date): Promise<OpenRow[]> {
  const { rows } = await sql<RecommendationRow>`
    select * from recommendation
    where cluster_id = ${clusterId} and (status in ('pending', 'approved')
      or (verification is not null and status in ('implemented', 'resolved') and done_at >= ${doneSince}))
    order by recommendation_id for update`.execute(tx)
  return rows.filter((row): row is OpenRow => row.status === 'pending' || row.status === 'approved')
}

export async function listOpen(tx: Db, clusterId: string): Promise<OpenRow[]> {
  const { rows } = await sql<OpenRow>`
    select * from recommendation
    where cluster_id = ${clusterId} and status in ('pending', 'approved') order by recommendation_id`.execute(tx)
  return rows
}

/** Marked as implemented, and not seen in the cluster yet. */
export async function listAwaiting(tx: Db, clusterId: string): Promise<RecommendationRow[]> {
  const { rows } = await sql<RecommendationRow>`
    select * from recommendation
    where cluster_id = ${clusterId} and status = 'implemented' and verification = 'awaiting'
    order by recommendation_id`.execute(tx)
  return rows
}

const rightSizingRules = RULES.filter(({ isRightSizing }) => isRightSizing).map(({ id }) => id)

/** The requests that open right-sizing recommendations propose, by target. */
export async function listStanding(tx: Db, clusterId: string): Promise<Map<string, ContainerSpec>> {
  const { rows } = await sql<{ target_key: string; recommended: ContainerSpec | null }>`
    select target_key, content -> 'recommended' as recommended from recommendation
    where cluster_id = ${clusterId} and status in ('pending', 'approved')
      and rule_id = any(${rightSizingRules})`.execute(tx)
  return new Map(rows.flatMap(({ target_key: key, recommended }) => (recommended ? [[key, recommended]] : [])))
}

export type WatchedRow = { rule_id: string; target_key: string; verification: VerificationState; basis: string }

/** Applied and not observed yet; or observed and done since then. The newest for each target. */
export async function listWatched(tx: Db, clusterId: string, since: Date): Promise<WatchedRow[]> {
  const { rows } = await sql<WatchedRow>`
    with newest as (
      select distinct on (rule_id, target_key) rule_id, target_key, verification, basis, done_at from recommendation
      where cluster_id = ${clusterId} and verification is not null
      order by rule_id, target_key, recommendation_id desc)
    select rule_id, target_key, verification, basis from newest
    where verification = 'awaiting' or (verification in ('verified', 'partial', 'regressed') and done_at >= ${since})`.execute(
    tx,
  )
  return rows
}

const record = sql`(id text, "ruleId" text, category text, "targetKey" text, "bundleId" text, severity text,
  "severityRank" smallint, risk text, confidence text, title text, namespace text, "podName" text, "workloadKind" text,
  "workloadName" text, container text, "searchText" text, estimated numeric, bankable numeric, content jsonb, basis text,
  "isEdited" boolean)`

/** Returns the inserted ones: a target with an open recommendation gets no second one. */
export async function insertFindings(
  tx: Db,
  clusterId: string,
  findings: readonly StoredFinding[],
  now: Date,
): Promise<string[]> {
  const made: string[] = []
  for (const some of chunks(findings, findingsAtOnce)) made.push(...(await insertSome(tx, clusterId, some, now)))
  return made
}

/** Limits the duration of one statement. */
const findingsAtOnce = 2000

async function insertSome(tx: Db, clusterId: string, findings: readonly StoredFinding[], now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into recommendation (cluster_id, recommendation_id, rule_id, category, target_key, bundle_id, status, severity,
      severity_rank, risk, confidence, title, namespace, pod_name, workload_kind, workload_name, container, search_text,
      estimated_savings, bankable_savings, content, basis, created_at, updated_at)
    select ${clusterId}, id, "ruleId", category, "targetKey", "bundleId", 'pending', severity, "severityRank", risk,
      confidence, title, namespace, "podName", "workloadKind", "workloadName", container, "searchText", estimated, bankable,
      content, basis, ${now}, ${now}
    from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) as record ${record}
    on conflict (cluster_id, rule_id, target_key) where status in ('pending', 'approved') do nothing
    returning recommendation_id as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** The revision grows with the approvable content, not with every cent. */
export async function updateFindings(
  tx: Db,
  clusterId: string,
  findings: readonly (StoredFinding & { isEdited: boolean })[],
  now: Date,
): Promise<void> {
  for (const some of chunks(findings, findingsAtOnce)) await updateSome(tx, clusterId, some, now)
}

async function updateSome(
  tx: Db,
  clusterId: string,
  findings: readonly (StoredFinding & { isEdited: boolean })[],
  now: Date,
): Promise<void> {
  await sql`
    update recommendation set category = record.category, bundle_id = record."bundleId", severity = record.severity,
      severity_rank = record."severityRank", risk = record.risk, confidence = record.confidence, title = record.title,
      pod_name = record."podName", search_text = record."searchText", estimated_savings = record.estimated,
      bankable_savings = record.bankable, content = record.content, basis = record.basis, missing_since = null,
      revision = revision + record."isEdited"::integer, updated_at = ${now}
    from jsonb_to_recordset(${JSON.stringify(findings)}::jsonb) as record ${record}
    where cluster_id = ${clusterId} and recommendation_id = record.id`.execute(tx)
}

export async function recordMissing(tx: Db, clusterId: string, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('recommendation')
    .set({ missing_since: now })
    .where('cluster_id', '=', clusterId)
    .where('recommendation_id', '=', sql<string>`any(${ids})`)
    .execute()
}

export async function writeDrift(
  tx: Db,
  clusterId: string,
  drifts: readonly { id: string; drift: Drift | null }[],
): Promise<void> {
  if (drifts.length === 0) return
  await sql`
    update recommendation set drift = nullif(record.drift, 'null'::jsonb)
    from jsonb_to_recordset(${JSON.stringify(drifts)}::jsonb) as record (id text, drift jsonb)
    where cluster_id = ${clusterId} and recommendation_id = record.id`.execute(tx)
}

/** For approved and unconfirmed recommendations: the only fields that an analysis changes. */
export async function writeBankable(
  tx: Db,
  clusterId: string,
  changes: readonly BankableChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    update recommendation set bankable_savings = record.bankable, severity = record.severity,
      severity_rank = record."severityRank", updated_at = ${now},
      content = (content - 'bankableBecause') || jsonb_strip_nulls(jsonb_build_object('bankableBecause', because))
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
      as record (id text, bankable numeric, because text, severity text, "severityRank" smallint)
    where cluster_id = ${clusterId} and recommendation_id = record.id`.execute(tx)
}

/** An observed change is credited from now on, as if a user had reported it. */
export async function closeRecommendations(
  tx: Db,
  clusterId: string,
  closings: readonly { id: string; to: string }[],
  now: Date,
): Promise<void> {
  if (closings.length === 0) return
  await sql`
    update recommendation set status = record."to", revision = revision + 1, updated_at = ${now}, snoozed_until = null,
      done_at = case when record."to" = 'resolved' then ${now}::timestamptz else done_at end,
      verification = case when record."to" = 'resolved' then 'verified' else verification end
    from jsonb_to_recordset(${JSON.stringify(closings)}::jsonb) as record (id text, "to" text)
    where cluster_id = ${clusterId} and recommendation_id = record.id`.execute(tx)
}
