import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Sight } from './recommendations.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type WithheldRow = Selectable<Tables['recommendation_withheld']>

export type NewWithheld = {
  ruleId: string
  targetKey: string
  namespace: string
  target: object | null
  reason: string
  detail: string
  unlock: string
}

/** Replaces the withheld reasons; an unchanged reason keeps its time. */
export async function writeWithheld(tx: Db, clusterId: string, rows: readonly NewWithheld[], now: Date): Promise<void> {
  const text = JSON.stringify(rows)
  await sql`
    delete from recommendation_withheld stored where cluster_id = ${clusterId} and not exists (
      select from jsonb_to_recordset(${text}::jsonb) as record ("ruleId" text, "targetKey" text)
      where record."ruleId" = stored.rule_id and record."targetKey" = stored.target_key)`.execute(tx)
  await sql`
    insert into recommendation_withheld as stored
      (cluster_id, rule_id, target_key, namespace, target, reason, detail, unlock, since)
    select ${clusterId}, "ruleId", "targetKey", namespace, target, reason, detail, unlock, ${now}
    from jsonb_to_recordset(${text}::jsonb) as record
      ("ruleId" text, "targetKey" text, namespace text, target jsonb, reason text, detail text, unlock text)
    on conflict (cluster_id, rule_id, target_key) do update set
      detail = excluded.detail, unlock = excluded.unlock, reason = excluded.reason,
      since = case when stored.reason = excluded.reason then stored.since else excluded.since end
    where (stored.reason, stored.detail, stored.unlock)
      is distinct from (excluded.reason, excluded.detail, excluded.unlock)`.execute(tx)
}

export type WithheldFilter = {
  clusterIds?: readonly string[] | undefined
  namespaces?: readonly string[] | undefined
  ruleIds?: readonly string[] | undefined
  reasons?: readonly string[] | undefined
  /** Each word must occur in the text. */
  words?: readonly string[] | undefined
  /** Rule titles by id, which users see where a whole rule is withheld. */
  ruleTitles: Readonly<Record<string, string>>
}

export type WithheldKey = { clusterId: string; ruleId: string; targetKey: string }

/** By cluster, rule and target. */
export async function listWithheld(
  db: Db,
  sight: Sight,
  filter: WithheldFilter,
  { after, limit }: { after: WithheldKey | undefined; limit: number },
): Promise<WithheldRow[]> {
  const all = [
    ...conditions(sight, filter),
    ...(after
      ? [sql`(w.cluster_id, w.rule_id, w.target_key) > (${after.clusterId}, ${after.ruleId}, ${after.targetKey})`]
      : []),
  ]
  const { rows } = await sql<WithheldRow>`
    select * from recommendation_withheld w where ${sql.join(all, sql` and `)}
    order by cluster_id, rule_id, target_key limit ${limit}`.execute(db)
  return rows
}

/** Most frequent first; for every reason, so that the filter shows all of them. */
export async function countWithheldReasons(db: Db, sight: Sight, { reasons: _picked, ...filter }: WithheldFilter) {
  const { rows } = await sql<{ reason: string; count: number }>`
    select reason, count(*)::int as count from recommendation_withheld w
    where ${sql.join(conditions(sight, filter), sql` and `)} group by reason order by count desc, reason`.execute(db)
  return rows
}

export async function countWithheld(db: Db, sight: Sight, clusterIds: string | undefined): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from recommendation_withheld w
    where ${sql.join(conditions(sight, { clusterIds: clusterIds?.split(','), ruleTitles: {} }), sql` and `)}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** A role restricted to namespaces does not see withheld rules. */
function conditions({ clusters, namespaces }: Sight, filter: WithheldFilter): RawBuilder<unknown>[] {
  const among = (column: string, values: readonly string[] | null | undefined): RawBuilder<unknown>[] =>
    values === null || values === undefined ? [] : [sql`${sql.ref(`w.${column}`)} = any(${values})`]
  return [
    sql`exists (select from cluster c where c.cluster_id = w.cluster_id)`,
    ...among('cluster_id', clusters),
    ...among('namespace', namespaces),
    ...among('cluster_id', filter.clusterIds),
    ...among('namespace', filter.namespaces),
    ...among('rule_id', filter.ruleIds),
    ...among('reason', filter.reasons),
    ...(filter.words ?? []).map((word) => sql`strpos(${said(filter.ruleTitles)}, lower(${word})) > 0`),
  ]
}

/** The whole text of the row. */
const said = (ruleTitles: WithheldFilter['ruleTitles']) => sql`lower(concat_ws(' ',
  case when w.target is null then coalesce(${JSON.stringify(ruleTitles)}::jsonb ->> w.rule_id, replace(w.rule_id, '_', ' '))
    else concat_ws('/', nullif(w.target ->> 'namespace', ''), w.target ->> 'name') end,
  (select c.name from cluster c where c.cluster_id = w.cluster_id), replace(w.reason, '_', ' '), w.detail, w.unlock))`
