import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { StepKindName } from '@plimsoll/contract'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { RecommendationRow } from './recommendations.ts'

export type StandingStep = Omit<Selectable<Tables['plan_step']>, 'kind' | 'position' | 'ended_at'> & {
  kind: StepKindName
  position: number
}

export type StepRow = StandingStep & {
  /** Steps in the plan of the cluster. */
  of: number
  /** Recommendations of the step. */
  members: number
  /** Those that the caller can see. */
  visible: number
  /** Those among them that the savings of the step count: not applied before the plan. */
  counted: number
  /** The shares of the counted ones. If every recommendation is applied, the shares of all. */
  visible_share: string
}

/** The steps of the current plans in order, without their recommendations. */
export async function listStanding(db: Db, clusterIds: readonly string[]): Promise<StandingStep[]> {
  const { rows } = await sql<StandingStep>`
    select * from plan_step where cluster_id = any(${clusterIds}) and position is not null
    order by cluster_id, position`.execute(db)
  return rows
}

/** Members of a step are neither superseded nor expired. */
const counts = sql`r.status not in ('superseded', 'expired')`

/** The steps of the current plans in order, including those without visible recommendations. */
export async function listSteps(
  db: Db,
  clusterIds: readonly string[],
  namespaces: readonly string[] | null,
  stepIds: readonly string[] | null = null,
): Promise<StepRow[]> {
  const { rows } = await sql<StepRow>`
    with standing as (
      select s.*, count(*) over (partition by s.cluster_id)::integer as of
      from plan_step s where s.cluster_id = any(${clusterIds}) and s.position is not null),
    wanted as (select * from standing where ${stepIds}::text[] is null or step_id = any(${stepIds}::text[])),
    counted as (
      select m.cluster_id, m.step_id, count(*)::integer as members, count(*) filter (where v.isvisible)::integer as visible,
        count(*) filter (where v.isvisible and not m.is_applied)::integer as counted,
        coalesce(case when bool_and(m.is_applied) then sum(m.share) filter (where v.isvisible)
          else sum(m.share) filter (where v.isvisible and not m.is_applied) end, 0)::text as visible_share
      from wanted w
      join plan_step_member m on m.cluster_id = w.cluster_id and m.step_id = w.step_id
      join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
      cross join lateral (
        select ${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]) as isvisible) v
      where ${counts} group by 1, 2)
    select w.*, coalesce(c.members, 0) as members, coalesce(c.visible, 0) as visible,
      coalesce(c.counted, 0) as counted, coalesce(c.visible_share, '0') as visible_share
    from wanted w left join counted c on c.cluster_id = w.cluster_id and c.step_id = w.step_id
    order by w.cluster_id, w.position`.execute(db)
  return rows
}

export type StepOfRow = { id: string; step_id: string; is_applied: boolean }

/** The step of each recommendation in a step. */
export async function listStepsOf(db: Db, rows: readonly RecommendationRow[]): Promise<StepOfRow[]> {
  const clusterIds = [...new Set(rows.map((row) => row.cluster_id))]
  const ids = rows.map((row) => row.recommendation_id)
  const found = await sql<StepOfRow>`
    select m.recommendation_id as id, m.step_id, m.is_applied from plan_step_member m
    join plan_step s on s.cluster_id = m.cluster_id and s.step_id = m.step_id
    where m.cluster_id = any(${clusterIds}) and m.recommendation_id = any(${ids}) and s.position is not null`.execute(
    db,
  )
  return found.rows
}
