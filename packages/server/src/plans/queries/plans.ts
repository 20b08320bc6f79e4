import type { LevelName, RecommendationStatus, RecommendedChange, SeverityName, UnsafeKind } from '@plimsoll/contract'
import { RULES } from '@plimsoll/engine/rules'
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

/** The visible recommendations of steps, highest estimate first, up to a limit for each step. */
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
        row_number() over (partition by m.cluster_id, m.step_id order by r.estimated_savings desc, r.recommendation_id) as place
      from plan_step_member m
      join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
      where m.cluster_id = any(${clusterIds}) and m.step_id = any(${stepIds}) and r.status not in ('superseded', 'expired')
        and (${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))) ranked
    where place <= ${stepMembersMax} order by cluster_id, step_id, place`.execute(db)
  return rows
}

export type StatusCount = { cluster_id: string; step_id: string; status: RecommendationStatus; count: number }

/** The number of visible recommendations of each step by status. */
export async function countStatuses(
  db: Db,
  clusterIds: readonly string[],
  stepIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    select m.cluster_id, m.step_id, r.status, count(*)::integer as count
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

export type UnsafeRow = {
  recommendation_id: string
  cluster_id: string
  kind: UnsafeKind
  namespace: string
  workload_kind: string
  workload_name: string
  title: string
}

const FAILING_RULES = JSON.stringify(RULES.flatMap(({ id, failure }) => (failure ? [{ rule_id: id, ...failure }] : [])))

/** Open recommendations for workloads that fail now. An urgent one is critical at any cost. */
export async function listUnsafe(
  db: Db,
  clusterIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<UnsafeRow[]> {
  const { rows } = await sql<UnsafeRow>`
    select r.recommendation_id, r.cluster_id, r.namespace, coalesce(r.workload_kind, '') as workload_kind,
      coalesce(r.workload_name, '') as workload_name, r.title, f.kind
    from recommendation r
    join jsonb_to_recordset(${FAILING_RULES}::jsonb) as f (rule_id text, kind text, severity text, basis text)
      on f.rule_id = r.rule_id and (f.severity is null or f.severity = r.severity)
      and (f.basis is null or starts_with(r.basis, f.basis))
    where r.cluster_id = any(${clusterIds}) and r.status in ('pending', 'approved')
      and (${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))
    order by array_position(array['oom_killed', 'crash_looping', 'throttled'], f.kind), r.cluster_id, r.namespace, r.workload_name`.execute(
    db,
  )
  return rows
}
