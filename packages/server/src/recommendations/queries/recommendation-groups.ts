import type { RecommendationGrouping } from '@plimsoll/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { conditions, type RecommendationFilter, type Sight } from './recommendations.ts'

export type Grouped = {
  cluster_id: string | null
  namespace: string | null
  workload: string | null
  rule_id: string | null
  verification: string | null
  count: number
  estimated_savings: string
  bankable_savings: string | null
}

const groupColumns: Record<
  RecommendationGrouping,
  Partial<Record<'cluster_id' | 'namespace' | 'workload' | 'rule_id' | 'verification', true>>
> = {
  cluster: { cluster_id: true },
  namespace: { namespace: true },
  workload: { namespace: true, workload: true },
  rule: { rule_id: true },
  verification: { verification: true },
}

/** The largest groups, and the sum of all others in the last row. */
export async function sumByGroup(
  db: Db,
  {
    sight,
    filter,
    by,
    limit,
  }: { sight: Sight; filter: RecommendationFilter; by: RecommendationGrouping; limit: number },
): Promise<{ groups: Grouped[]; rest: Grouped | undefined }> {
  const wanted = groupColumns[by]
  const column = (name: keyof typeof wanted, value: RawBuilder<unknown>) => (wanted[name] ? value : sql`null::text`)
  const { rows } = await sql<Grouped & { place: number }>`
    with grouped as (
      select ${column('cluster_id', sql`cluster_id`)} as cluster_id, ${column('namespace', sql`namespace`)} as namespace,
        ${column('workload', sql`coalesce(workload_name, '')`)} as workload, ${column('rule_id', sql`rule_id`)} as rule_id,
        ${column('verification', sql`coalesce(verification, '')`)} as verification,
        count(*) as count, sum(estimated_savings) as estimated_savings, sum(bankable_savings) as bankable_savings
      from recommendation where ${conditions(sight, filter)} group by 1, 2, 3, 4, 5),
    placed as (
      select *, least(row_number() over (
        order by coalesce(bankable_savings, 0) desc, estimated_savings desc, cluster_id, namespace, workload, rule_id,
          verification),
        ${limit + 1}) as place
      from grouped)
    select place::integer as place, min(cluster_id) as cluster_id, min(namespace) as namespace, min(workload) as workload,
      min(rule_id) as rule_id, min(verification) as verification, sum(count)::integer as count,
      sum(estimated_savings) as estimated_savings, sum(bankable_savings) as bankable_savings
    from placed group by place order by place`.execute(db)
  return { groups: rows.filter(({ place }) => place <= limit), rest: rows.find(({ place }) => place > limit) }
}
