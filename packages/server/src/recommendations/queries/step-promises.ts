import type { RecommendationStatus, StepKindName, VerificationDetail, VerificationState } from '@plimsoll/contract'
import { HOURS_PER_MONTH } from '@plimsoll/engine'
import { CONTROL_PLANE_UID } from '@plimsoll/pipeline/fold'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

const isDecided = sql`r.status in ('approved', 'implemented', 'resolved')`
const isApplied = sql`r.status in ('implemented', 'resolved')`

/**
 * A marked change is applied when it was marked, or observed before. A resolved one was made at an unknown time between
 * its approval, or the plan that named it, and the analysis that observed it.
 */
const changedAt = sql`
  case when r.status = 'resolved' then coalesce(r.approved_at, p.named_at)
    else least(coalesce(r.done_at, r.updated_at), (r.verification_detail ->> 'observed_at')::timestamptz) end`

/** Steps of the current plan with a decision, as a promise. */
const standingPromises = (clusterIds: readonly string[], resources: RawBuilder<unknown>) => sql`
  select s.cluster_id, s.step_id, s.kind, s.title, p.analysed_at as named_at, d.promised_at, s.savings, s.nodes, d.members,
    ${resources} as resources
  from plan_step s
  join plan p on p.cluster_id = s.cluster_id
  cross join lateral (
    select min(coalesce(r.approved_at, r.done_at, r.updated_at)) filter (where ${isDecided}) as promised_at,
      jsonb_agg(jsonb_build_object('id', m.recommendation_id, 'share', m.share::text) order by m.recommendation_id) as members
    from plan_step_member m
    join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
    where m.cluster_id = s.cluster_id and m.step_id = s.step_id) d
  where s.cluster_id = any(${clusterIds}) and s.position is not null and d.promised_at is not null
    and not exists (
      select from plan_step_promise kept where kept.cluster_id = s.cluster_id and kept.step_id = s.step_id)`

/**
 * The cloud resources that a step removes or changes, with their price in the newest finalised hours. Only hours in which
 * the resource existed in full count. Without such an hour the price of the analysis counts: the share in the step.
 */
const namedResources = sql`
  coalesce((
    select jsonb_agg(jsonb_build_object('id', m.recommendation_id, 'uid', a.asset_uid, 'kind', a.kind,
      'usdPerMonth', coalesce(round(c.usd * ${sql.lit(HOURS_PER_MONTH)}, 12), m.share)::text) order by m.recommendation_id)
    from plan_step_member m
    join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
    cross join lateral (select r.content -> 'target' ->> 'kind' as kind, r.content -> 'target' ->> 'namespace' as namespace,
      r.content -> 'target' ->> 'name' as name) t
    cross join lateral (
      select asset_uid, kind, ended_at, first_seen_at from asset a
      where a.cluster_id = r.cluster_id and a.object_name = t.name
        and (t.kind = 'PersistentVolume' and a.kind = 'volume'
          or t.kind = 'Service' and a.kind = 'balancer' and a.namespace = t.namespace)
      union all
      select ${sql.lit(CONTROL_PLANE_UID)}, 'control_plane', null, null where t.kind = 'ControlPlane'
      order by first_seen_at desc nulls last limit 1) a
    cross join lateral (
      select max(usd) as usd from (
        select sum(h.unit_seconds * rate.asset_usd_per_unit_second) as usd
        from asset_hour h join rate using (rate_id)
        where h.cluster_id = r.cluster_id and h.asset_uid = a.asset_uid
          and h.hour > coalesce(a.ended_at, p.analysed_at) - interval '6 hours'
          and h.hour + interval '1 hour' <= coalesce(a.ended_at, p.analysed_at)
          and (a.first_seen_at is null or a.first_seen_at <= h.hour)
        group by h.hour) hours) c
    where m.cluster_id = s.cluster_id and m.step_id = s.step_id and coalesce(c.usd, m.share) > 0), '[]'::jsonb)`

/**
 * Fixes the promises of steps with a first decision, before a new plan changes the steps. Cloud resources without a
 * finalised hour at that time are added later. A promise ends if all decisions were withdrawn.
 */
export async function keepPromises(tx: Db, clusterId: string): Promise<void> {
  const resources = sql`case when s.kind = 'remove' then ${namedResources} else '[]'::jsonb end`
  await sql`
    insert into plan_step_promise (cluster_id, step_id, kind, title, named_at, promised_at, savings, nodes, members, resources)
    ${standingPromises([clusterId], resources)}`.execute(tx)
  await sql`
    update plan_step_promise s set resources = ${namedResources}
    from (select cluster_id, step_id, named_at as analysed_at from plan_step_promise) p
    where s.cluster_id = ${clusterId} and s.kind = 'remove' and s.resources = '[]'::jsonb
      and p.cluster_id = s.cluster_id and p.step_id = s.step_id`.execute(tx)
  await sql`
    delete from plan_step_promise p where p.cluster_id = ${clusterId} and not exists (
      select from jsonb_to_recordset(p.members) as m (id text)
      join recommendation r on r.cluster_id = p.cluster_id and r.recommendation_id = m.id
      where ${isDecided})`.execute(tx)
}

export type PromiseRow = Omit<Selectable<Tables['plan_step_promise']>, 'kind'> & {
  kind: StepKindName
  /** When its first recommendation was applied. */
  applied_at: Date
  /** When the first change of the step could reach the cluster, also outside the scope. */
  changed_at: Date
  /** The recommendations in the scope. */
  visible_ids: string[]
  /** Whether the current plan has the step. */
  is_in_plan: boolean
}

/** The recommendations that count. Null: all namespaces or rules. */
export type StepScope = {
  clusterIds: readonly string[]
  namespaces: readonly string[] | null
  ruleIds: readonly string[] | null
  limit: number
}

/**
 * Steps with an applied recommendation in the scope, the newest first. Steps that left the plan are included. If the
 * scope hides a recommendation of the step, the dates come from the recommendations in the scope.
 */
export async function listAppliedSteps(db: Db, scope: StepScope): Promise<PromiseRow[]> {
  const { clusterIds, namespaces, ruleIds, limit } = scope
  const isIn = (column: RawBuilder<unknown>, values: readonly string[] | null) =>
    values === null ? sql`true` : sql`${column} = any(${values})`
  const isVisible = sql`(${isIn(sql`r.namespace`, namespaces)} and ${isIn(sql`r.rule_id`, ruleIds)})`
  const { rows } = await sql<PromiseRow>`
    with promise as (
      select * from plan_step_promise where cluster_id = any(${clusterIds})
      union all
      ${standingPromises(clusterIds, sql`'[]'::jsonb`)})
    select p.*, p.savings::text as savings, a.applied_at, a.changed_at, a.visible_ids,
      case when a.is_whole then p.promised_at else a.promised_at end as promised_at, exists (
      select from plan_step s
      where s.cluster_id = p.cluster_id and s.step_id = p.step_id and s.position is not null) as is_in_plan
    from promise p
    cross join lateral (
      select min(coalesce(r.done_at, r.updated_at)) filter (where ${isApplied} and ${isVisible}) as applied_at,
        min(${changedAt}) filter (where ${isApplied}) as changed_at,
        min(coalesce(r.approved_at, r.done_at, r.updated_at)) filter (where ${isDecided} and ${isVisible}) as promised_at,
        array_agg(r.recommendation_id) filter (where ${isVisible}) as visible_ids, bool_and(${isVisible}) as is_whole
      from jsonb_to_recordset(p.members) as m (id text)
      join recommendation r on r.cluster_id = p.cluster_id and r.recommendation_id = m.id) a
    where a.applied_at is not null order by a.applied_at desc, p.step_id desc limit ${limit}`.execute(db)
  return rows
}

export type PromisedMemberRow = {
  cluster_id: string
  recommendation_id: string
  rule_id: string
  namespace: string
  workload_kind: string | null
  workload_name: string | null
  container: string | null
  title: string
  status: RecommendationStatus
  verification: VerificationState | null
  verification_detail: VerificationDetail | null
  change: string
  estimated_savings: string
  /** The disk at the provider stays when the object is deleted. */
  outlives_object: boolean
}

export async function listPromisedMembers(
  db: Db,
  clusterIds: readonly string[],
  ids: readonly string[],
): Promise<PromisedMemberRow[]> {
  const { rows } = await sql<PromisedMemberRow>`
    select cluster_id, recommendation_id, rule_id, namespace, workload_kind, workload_name, container, title, status,
      verification, verification_detail, content -> 'change' ->> 'summary' as change, estimated_savings::text as estimated_savings,
      coalesce((content ->> 'outlivesObject')::boolean, false) as outlives_object
    from recommendation where cluster_id = any(${clusterIds}) and recommendation_id = any(${ids})`.execute(db)
  return rows
}
