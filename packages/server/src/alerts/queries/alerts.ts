import type { AlertRuleName, UnsentReason } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Grant } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/database.ts'
import type { AlertContent, AlertDecision } from '../../platform/db/tables/alerts.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type AlertRow = Selectable<Tables['alert']>

/** The open alerts of a rule, and the newest resolved alerts of these identities. */
export async function listKnownAlerts(tx: Db, rule: AlertRuleName, identities: readonly string[]): Promise<AlertRow[]> {
  const { rows } = await sql<AlertRow>`
    select * from alert where rule = ${rule} and state <> 'resolved'
    union all
    select newest.* from unnest(${identities}::text[]) as asked (identity)
    cross join lateral (
      select * from alert a
      where a.rule = ${rule} and a.entity = split_part(asked.identity, ${identitySeparator}, 1)
        and a.period = split_part(asked.identity, ${identitySeparator}, 2)
      order by a.alert_id desc limit 1) newest
    where newest.state = 'resolved'`.execute(tx)
  return rows
}

/** The periods of all alerts of these entities, open or not. */
export function listAlertPeriods(tx: Db, rule: AlertRuleName, entities: readonly string[]) {
  return tx
    .selectFrom('alert')
    .select(['entity', 'period'])
    .where('rule', '=', rule)
    .where('entity', '=', sql<string>`any(${[...entities]})`)
    .execute()
}

/** Entities and periods contain no control characters. */
const identitySeparator = '\u001f'
export const identityOf = ({ entity, period = '' }: { entity: string; period?: string }) =>
  `${entity}${identitySeparator}${period}`

export type AlertChange = Pick<
  AlertRow,
  | 'alert_id'
  | 'rule'
  | 'entity'
  | 'period'
  | 'cluster_id'
  | 'namespace'
  | 'team'
  | 'scope'
  | 'state'
  | 'is_urgent'
  | 'opened_at'
  | 'true_since'
  | 'false_since'
  | 'observed_at'
  | 'fired_at'
  | 'resolved_at'
> & { content: AlertContent }

/** New alerts and changed ones, in one statement. */
export async function writeAlerts(tx: Db, changes: readonly AlertChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into alert (alert_id, rule, entity, period, cluster_id, namespace, team, scope, state, is_urgent, content,
      opened_at, true_since, false_since, observed_at, fired_at, resolved_at)
    select alert_id, rule, entity, period, cluster_id, namespace, team, scope, state, is_urgent, content, opened_at,
      true_since, false_since, observed_at, fired_at, resolved_at
    from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as r (
      alert_id text, rule text, entity text, period text, cluster_id text, namespace text, team text, scope jsonb,
      state text, is_urgent boolean, content jsonb, opened_at timestamptz, true_since timestamptz, false_since timestamptz,
      observed_at timestamptz, fired_at timestamptz, resolved_at timestamptz)
    on conflict (alert_id) do update set state = excluded.state, is_urgent = excluded.is_urgent,
      content = excluded.content, cluster_id = excluded.cluster_id, namespace = excluded.namespace, team = excluded.team,
      scope = excluded.scope, true_since = excluded.true_since,
      false_since = excluded.false_since, observed_at = excluded.observed_at, fired_at = excluded.fired_at,
      resolved_at = excluded.resolved_at`.execute(tx)
}

export async function deleteAlerts(tx: Db, alertIds: readonly string[]): Promise<void> {
  if (alertIds.length === 0) return
  await tx
    .deleteFrom('alert')
    .where('alert_id', '=', sql<string>`any(${alertIds})`)
    .execute()
}

export async function setUnsentReason(tx: Db, alertIds: readonly string[], reason: UnsentReason | null): Promise<void> {
  if (alertIds.length === 0) return
  await tx
    .updateTable('alert')
    .set({ unsent_reason: reason })
    .where('alert_id', '=', sql<string>`any(${alertIds})`)
    .where('unsent_reason', 'is distinct from', reason)
    .execute()
}

const wasSent = sql<boolean>`exists (
  select from alert_notice n where n.alert_id = a.alert_id and n.state = 'sent') as sent`

export type DecidedAlert = { id: string; reason: 'accepted' | 'acknowledged'; sent: boolean }

/** The alerts about which a person has decided already. */
export async function listDecided(tx: Db, alertIds: readonly string[]): Promise<DecidedAlert[]> {
  const { rows } = await sql<DecidedAlert>`
    select a.alert_id as id, case when accepted is not null then 'accepted' else 'acknowledged' end as reason, ${wasSent}
    from alert a where a.alert_id = any(${alertIds}) and (accepted is not null or acknowledged is not null)`.execute(tx)
  return rows
}

export function lockAlert(tx: Db, alertId: string): Promise<AlertRow | undefined> {
  return tx.selectFrom('alert').selectAll().where('alert_id', '=', alertId).forUpdate().executeTakeFirst()
}

export function listFiringOf(tx: Db, clusterId: string): Promise<AlertRow[]> {
  return tx.selectFrom('alert').selectAll().where('cluster_id', '=', clusterId).where('state', '=', 'firing').execute()
}

/** Clusters with a firing alert of the rule. */
export async function listFiringClusters(tx: Db, rule: AlertRuleName): Promise<string[]> {
  const rows = await tx
    .selectFrom('alert')
    .select('cluster_id as id')
    .distinct()
    .where('rule', '=', rule)
    .where('state', '=', 'firing')
    .execute()
  return rows.flatMap(({ id }) => (id === null ? [] : [id]))
}

/** The part of the fleet that a caller sees. Null: all. */
export type AlertScope = Pick<Grant, 'clusters' | 'namespaces' | 'teams'>

/** Alerts about the whole installation need the whole fleet; alerts about a whole cluster need all its namespaces. */
const inScope = ({ clusters, namespaces, teams }: AlertScope) => sql<boolean>`
  case when a.scope is null then
    (${clusters}::text[] is null or a.cluster_id = any(${clusters}::text[]))
    and (${namespaces}::text[] is null or a.namespace = any(${namespaces}::text[]))
    and (${teams}::text[] is null or a.team = any(${teams}::text[]))
  else
    (${clusters}::text[] is null or a.scope -> 'clusters' <@ to_jsonb(${clusters}::text[]))
    and (${namespaces}::text[] is null or a.scope -> 'namespaces' <@ to_jsonb(${namespaces}::text[]))
    and (${teams}::text[] is null or a.scope -> 'teams' <@ to_jsonb(${teams}::text[]))
  end`

export type ShownAlert = AlertRow & { sent: boolean }

export type AlertPage = {
  scope: AlertScope
  state: 'open' | 'resolved' | undefined
  rule: AlertRuleName | undefined
  clusterId: string | undefined
  after: string | undefined
  limit: number
  /** False: without incidents whose part uses idle capacity. */
  hasShifts?: boolean
}

/** Newest first. */
export async function listAlerts(db: Db, page: AlertPage): Promise<ShownAlert[]> {
  const { scope, state = null, rule = null, clusterId = null, after = null, limit, hasShifts = true } = page
  const { rows } = await sql<ShownAlert>`
    select a.*, ${wasSent} from alert a
    where ${inScope(scope)}
      and (${state}::text is null or (a.state = 'resolved') = (${state}::text = 'resolved'))
      and (${rule}::text is null or a.rule = ${rule}) and (${clusterId}::text is null or a.cluster_id = ${clusterId})
      and (${after}::text is null or a.alert_id < ${after})
      and (${hasShifts}::boolean or a.unsent_reason is distinct from 'shift')
    order by a.alert_id desc limit ${limit}`.execute(db)
  return rows
}

export async function findAlert(db: Db, alertId: string, scope: AlertScope): Promise<ShownAlert | undefined> {
  const { rows } = await sql<ShownAlert>`
    select a.*, ${wasSent} from alert a where a.alert_id = ${alertId} and ${inScope(scope)}`.execute(db)
  return rows[0]
}

export type AlertEdit = {
  acknowledged?: AlertDecision
  accepted?: AlertDecision
  snoozedUntil?: Date
}

export async function editAlert(tx: Db, alertId: string, edit: AlertEdit): Promise<void> {
  await tx
    .updateTable('alert')
    .set((eb) => ({
      ...(edit.acknowledged ? { acknowledged: JSON.stringify(edit.acknowledged) } : {}),
      ...(edit.accepted ? { accepted: JSON.stringify(edit.accepted) } : {}),
      ...(edit.snoozedUntil ? { snoozed_until: edit.snoozedUntil } : {}),
      revision: eb('revision', '+', 1),
    }))
    .where('alert_id', '=', alertId)
    .execute()
}

/** Alerts that fired since then, by rule. */
export async function countFired(db: Db, since: Date, scope: AlertScope): Promise<Map<AlertRuleName, number>> {
  const { rows } = await sql<{ rule: AlertRuleName; count: number }>`
    select rule, count(*)::integer as count from alert a where fired_at >= ${since} and ${inScope(scope)}
    group by rule`.execute(db)
  return new Map(rows.map(({ rule, count }) => [rule, count]))
}
