import { unsafeShownMax, type UnsafeKind, type UnsafeNow } from '@plimsoll/contract'
import { RULES } from '@plimsoll/engine/rules'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

const FAILING_RULES = JSON.stringify(RULES.flatMap(({ id, failure }) => (failure ? [{ rule_id: id, ...failure }] : [])))

/** The most urgent kind first. */
const kinds: readonly UnsafeKind[] = ['oom_killed', 'crash_looping', 'regressed', 'throttled']

export type UnsafeSum = {
  workloads: number
  /** Number of workloads by kind; absent: none. */
  by_kind: Partial<Record<UnsafeKind, number>>
  examples: UnsafeNow['examples']
  /** The protect step with the most of them, or else the first one; null: no protect step. */
  step: { cluster_id: string; step_id: string; failing_workloads: number } | null
}

/** Counts the workloads that fail now, by their open recommendations. An urgent one is critical at any cost. */
export async function sumUnsafe(
  db: Db,
  clusterIds: readonly string[],
  namespaces: readonly string[] | null,
): Promise<UnsafeSum> {
  const isVisible = sql`(${namespaces}::text[] is null or r.namespace = any(${namespaces}::text[]))`
  const { rows } = await sql<UnsafeSum>`
    with failing as (
      select r.recommendation_id, r.cluster_id, r.namespace, r.title, f.kind, coalesce(r.workload_kind, '') as workload_kind,
        coalesce(r.workload_name, '') as name, array_position(${kinds}::text[], f.kind) as kind_rank
      from recommendation r
      join jsonb_to_recordset(${FAILING_RULES}::jsonb) as f (rule_id text, kind text, severity text, basis text)
        on f.rule_id = r.rule_id and (f.severity is null or f.severity = r.severity)
        and (f.basis is null or starts_with(r.basis, f.basis))
      where r.cluster_id = any(${clusterIds}) and r.status in ('pending', 'approved') and ${isVisible}),
    workload as (
      select distinct on (cluster_id, namespace, workload_kind, name) * from failing
      order by cluster_id, namespace, workload_kind, name, kind_rank),
    counted as (
      select kind, count(distinct (cluster_id, namespace, workload_kind, name)) as many from failing group by 1),
    example as (select * from workload order by kind_rank, cluster_id, namespace, name limit ${unsafeShownMax}),
    protecting as (
      select s.cluster_id, s.step_id,
        (count(distinct (f.namespace, f.workload_kind, f.name)) filter (where f.recommendation_id is not null))::integer
          as failing_workloads
      from plan_step s
      join plan_step_member m on m.cluster_id = s.cluster_id and m.step_id = s.step_id
      join recommendation r on r.cluster_id = m.cluster_id and r.recommendation_id = m.recommendation_id
      left join failing f on f.cluster_id = r.cluster_id and f.recommendation_id = r.recommendation_id
      where s.cluster_id = any(${clusterIds}) and s.kind = 'protect' and s.position is not null
        and r.status not in ('superseded', 'expired') and ${isVisible}
      group by 1, 2 order by count(f.recommendation_id) desc, s.cluster_id, min(s.position) limit 1)
    select (select count(*)::integer from workload) as workloads,
      (select coalesce(jsonb_object_agg(kind, many), '{}') from counted) as by_kind,
      (select coalesce(jsonb_agg(jsonb_build_object('recommendation_id', recommendation_id, 'cluster_id', cluster_id,
          'kind', kind, 'namespace', namespace, 'name', name, 'title', title)
          order by kind_rank, cluster_id, namespace, name), '[]') from example) as examples,
      (select to_jsonb(protecting) from protecting) as step`.execute(db)
  return rows[0] ?? { workloads: 0, by_kind: {}, examples: [], step: null }
}
