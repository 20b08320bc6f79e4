import type { LevelName, RecommendationStatus, RecommendedChange, SeverityName } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { stepMembersMax } from '@plimsoll/contract'

export type PlanRow = {
  cluster_id: string
  /** Null: the analysis made no plan, because the placement constraints of pods are unknown. */
  analysed_at: Date | null
  run_rate: string | null
  is_complete: boolean | null
  bounds: string[] | null
}

/** Clusters that were analysed, with their plans. */
export async function listPlans(db: Db, clusterIds: readonly string[]): Promise<PlanRow[]> {
  const { rows } = await sql<PlanRow>`
    select a.cluster_id, p.analysed_at, p.run_rate::text as run_rate, p.is_complete, p.bounds
    from advice_revision a left join plan p on p.cluster_id = a.cluster_id
    where a.cluster_id = any(${clusterIds})`.execute(db)
  return rows
}

export type MemberRow = {
  cluster_id: string
  step_id: string
  id: string
  title: string
  rule_id: string
  namespace: string
  workload_kind: string | null
  workload_name: string | null
  container: string | null
  change: RecommendedChange
  status: RecommendationStatus
  severity: SeverityName
  risk: LevelName
  estimated_savings: string
  /** Null: not computed. */
  bankable_savings: string | null
  share: string
}

/** The visible recommendations of steps, highest estimate first, applied ones last, up to a limit for each step. */
export async function listMembers(
  db: Db,
  clusterIds: readonly string[],
  stepIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<MemberRow[]> {
  const { rows } = await sql<MemberRow>`
    select * from (
      select m.cluster_id, m.step_id, r.recommendation_id as id, r.title, r.rule_id, r.namespace, r.workload_kind,
        r.workload_name, r.container, r.content->'change' as change, r.status, r.severity, r.risk,
        r.estimated_savings::text as estimated_savings, r.bankable_savings::text as bankable_savings, m.share::text as share,
        row_number() over (partition by m.cluster_id, m.step_id
          order by m.is_applied, r.estimated_savings desc, r.recommendation_id) as place
      from plan_step_member m
      join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
      where m.cluster_id = any(${clusterIds}) and m.step_id = any(${stepIds}) and r.status not in ('superseded', 'expired')
        and (${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))) ranked
    where place <= ${stepMembersMax} order by cluster_id, step_id, place`.execute(db)
  return rows
}

export type MemberSum = {
  cluster_id: string
  step_id: string
  /** Value of the freed and of the raised requests, USD per month. */
  freed: string
  used: string
  workloads: number
  /** Of the recommendation with the largest risk. */
  risk: LevelName
  riskiest: { recommendation_id: string; name: string; reason: string | null }
  /** Open recommendations that a manifest or commands carry out. */
  manifests: number
  commands: number
}

/** Sums over the visible recommendations of each step that its savings count, and the one with the largest risk. */
export async function sumMembers(
  db: Db,
  clusterIds: readonly string[],
  stepIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<MemberSum[]> {
  const { rows } = await sql<MemberSum>`
    with member as (
      select m.cluster_id, m.step_id, r.recommendation_id, r.namespace, r.workload_kind, r.workload_name, r.risk,
        r.estimated_savings as usd, array_position(array['low', 'medium', 'high'], r.risk) as risk_rank,
        r.status in ('pending', 'approved') as is_open, r.content->'action' is not null as has_commands,
        coalesce(r.workload_name, r.content->>'claim', r.content->'target'->>'name') as name, r.content->'riskReasons'->>0 as reason
      from plan_step_member m
      join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
      where m.cluster_id = any(${clusterIds}) and m.step_id = any(${stepIds}) and r.status not in ('superseded', 'expired')
        and not m.is_applied and (${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))),
    riskiest as (
      select distinct on (cluster_id, step_id) cluster_id, step_id, risk,
        jsonb_build_object('recommendation_id', recommendation_id, 'name', name, 'reason', reason) as riskiest
      from member order by cluster_id, step_id, risk_rank desc, reason is null, usd desc, recommendation_id),
    summed as (
      select cluster_id, step_id, coalesce(sum(usd) filter (where usd > 0), 0)::text as freed,
        coalesce(-sum(usd) filter (where usd < 0), 0)::text as used,
        count(distinct (namespace, workload_kind, workload_name)) filter (where workload_name is not null)::integer as workloads,
        count(*) filter (where is_open and not has_commands)::integer as manifests,
        count(*) filter (where is_open and has_commands)::integer as commands
      from member group by 1, 2)
    select * from summed join riskiest using (cluster_id, step_id)`.execute(db)
  return rows
}

export type StatusCount = {
  cluster_id: string
  step_id: string
  status: RecommendationStatus
  count: number
  /** Those that the savings of the step count. */
  counted: number
}

/** The number of visible recommendations of each step by status. */
export async function countStatuses(
  db: Db,
  clusterIds: readonly string[],
  stepIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select m.cluster_id, m.step_id, r.status, count(*)::integer as count,
      count(*) filter (where not m.is_applied)::integer as counted
    from plan_step_member m
    join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
    where m.cluster_id = any(${clusterIds}) and m.step_id = any(${stepIds}) and r.status not in ('superseded', 'expired')
      and (${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))
    group by 1, 2, 3`.execute(db)
  return rows
}

export type StepKey = { clusterId: string; stepId: string }

/** The IDs of the visible recommendations of a step in the current plan, with these statuses. */
export async function listMemberIds(
  db: Db,
  { clusterId, stepId }: StepKey,
  statuses: readonly RecommendationStatus[],
  namespaces: readonly string[] | null,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select r.recommendation_id as id from plan_step s
    join plan_step_member m on m.cluster_id = s.cluster_id and m.step_id = s.step_id
    join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
    where s.cluster_id = ${clusterId} and s.step_id = ${stepId} and s.position is not null
      and r.status = any(${statuses}) and (${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))
    order by r.estimated_savings desc, r.recommendation_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** The nodes that a `free` step of the current plan removes. Other steps name their nodes in their recommendations. */
export async function listFreedNodes(
  db: Db,
  { clusterId, stepId }: StepKey,
): Promise<{ name: string; pool: string }[]> {
  const { rows } = await sql<{ name: string; pool: string }>`
    select n->>'name' as name, n->>'pool' as pool
    from plan_step s, jsonb_array_elements(s.nodes) with ordinality as each (n, place)
    where s.cluster_id = ${clusterId} and s.step_id = ${stepId} and s.position is not null and s.kind = 'free'
      and n->>'replacedBy' is null
    order by place`.execute(db)
  return rows
}
