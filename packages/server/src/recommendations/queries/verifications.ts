import type { VerificationDetail, VerificationState } from '@plimsoll/contract'
import { targetKey, type RegressedChange } from '@plimsoll/engine/rules'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { RecommendationRow } from './recommendations.ts'

export type AppliedRow = RecommendationRow & {
  status: 'implemented' | 'resolved'
  verification: VerificationState
  done_at: Date
  /** Savings are counted up to this time. */
  counted_until: Date | null
  verified_usd: string
}

/**
 * `lockOpen` has already locked them, in the common order. Applied since then; of several with the same rule and target
 * only the newest counts.
 */
export async function lockApplied(tx: Db, clusterId: string, since: Date): Promise<AppliedRow[]> {
  const { rows } = await sql<AppliedRow>`
    select r.*, l.counted_until, coalesce(l.verified_usd, 0) as verified_usd
    from recommendation r
    left join lateral (
      select max(counted_until) as counted_until, sum(verified_usd) as verified_usd from savings_ledger l
      where l.cluster_id = r.cluster_id and l.recommendation_id = r.recommendation_id) l on true
    where r.cluster_id = ${clusterId} and r.verification is not null and r.status in ('implemented', 'resolved')
      and r.done_at >= ${since} and not exists (
        select from recommendation newer
        where newer.cluster_id = r.cluster_id and newer.rule_id = r.rule_id and newer.target_key = r.target_key
          and newer.verification is not null and newer.recommendation_id > r.recommendation_id)
    order by r.recommendation_id for update of r`.execute(tx)
  return rows
}

export async function updateVerification(
  tx: Db,
  row: AppliedRow,
  { state, detail }: { state: VerificationState; detail: VerificationDetail },
  now: Date,
): Promise<void> {
  const isMoved = state !== row.verification
  await tx
    .updateTable('recommendation')
    .set((eb) => ({
      verification: state,
      verification_detail: JSON.stringify(detail),
      ...(isMoved ? { revision: eb('revision', '+', 1), updated_at: now } : {}),
    }))
    .where('cluster_id', '=', row.cluster_id)
    .where('recommendation_id', '=', row.recommendation_id)
    .execute()
}

export type TrialRow = {
  rule_id: string
  target_key: string
  done_at: Date
  taken_back_at: Date | null
  failed_at: Date | null
}

/** Applied since then and not lasting: reverted, or with more container failures. The newest for each target. */
export async function listTrials(tx: Db, clusterId: string, since: Date): Promise<TrialRow[]> {
  const { rows } = await sql<TrialRow>`
    with newest as (
      select distinct on (rule_id, target_key) * from recommendation
      where cluster_id = ${clusterId} and verification is not null and done_at >= ${since}
      order by rule_id, target_key, done_at desc)
    select r.rule_id, r.target_key, r.done_at,
      case when r.verification = 'reverted' then h.reverted_at end as taken_back_at, h.regressed_at as failed_at
    from newest r
    cross join lateral (
      select coalesce(max(at) filter (where action = 'reverted'), r.updated_at) as reverted_at,
        min(at) filter (where action = 'regressed') as regressed_at
      from recommendation_history h
      where h.cluster_id = r.cluster_id and h.recommendation_id = r.recommendation_id) h
    where r.verification in ('reverted', 'regressed')`.execute(tx)
  return rows
}

/** Of changes that were never observed. Without them, a later verification does not count the time in between. */
export async function deleteEmptyCredit(tx: Db, clusterIds: readonly string[], ids: readonly string[]): Promise<void> {
  await sql`
    delete from savings_ledger where cluster_id = any(${clusterIds}) and recommendation_id = any(${ids})
      and verified_usd = 0 and reverted_usd = 0`.execute(tx)
}

/** Applied since then and regressed, with the requests before the change. The newest for each target. */
export async function listRegressed(tx: Db, clusterId: string, since: Date): Promise<RegressedChange[]> {
  const rows = await tx
    .selectFrom('recommendation')
    .select(['content', 'done_at', 'verification', 'verification_detail'])
    .where('cluster_id', '=', clusterId)
    .where('verification', 'is not', null)
    .where('done_at', '>=', since)
    .orderBy('done_at', 'desc')
    .execute()
  const newest = new Map<string, (typeof rows)[number]>()
  for (const row of rows) {
    const key = targetKey(row.content.target)
    if (row.content.change.action === 'set_requests' && !newest.has(key)) newest.set(key, row)
  }
  return [...newest.values()].flatMap(({ content, done_at: doneAt, verification, verification_detail: detail }) =>
    verification === 'regressed' && content.current !== null && doneAt !== null
      ? [
          {
            target: content.target,
            before: content.current,
            appliedAt: doneAt.getTime() / 1000,
            what: detail?.message ?? '',
          },
        ]
      : [],
  )
}

export type Credit = { month: string; verifiedUsd: number; revertedUsd: number; countedUntil: Date }

export async function addCredit(tx: Db, row: AppliedRow, credits: readonly Credit[]): Promise<void> {
  for (const { month, verifiedUsd, revertedUsd, countedUntil } of credits) {
    await sql`
      insert into savings_ledger as l
        (cluster_id, recommendation_id, month, namespace, rule_id, verified_usd, reverted_usd, counted_until)
      values (${row.cluster_id}, ${row.recommendation_id}, ${month}::date, ${row.namespace}, ${row.rule_id},
        ${verifiedUsd.toFixed(9)}, ${revertedUsd.toFixed(9)}, ${countedUntil})
      on conflict (cluster_id, recommendation_id, month) do update set
        verified_usd = l.verified_usd + excluded.verified_usd, reverted_usd = l.reverted_usd + excluded.reverted_usd,
        counted_until = excluded.counted_until`.execute(tx)
  }
}
