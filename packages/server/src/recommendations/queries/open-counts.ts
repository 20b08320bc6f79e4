import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { conditions, type RecommendationFilter, type Sight } from './recommendations.ts'

type OpenCount = { clusterId: string; ruleId: string; severity: string; count: number }

/** The number of matching recommendations by cluster, rule and severity. */
export async function countByRule(db: Db, sight: Sight, filter: RecommendationFilter): Promise<OpenCount[]> {
  const { rows } = await sql<OpenCount>`
    select cluster_id as "clusterId", rule_id as "ruleId", severity, count(*)::int as count
    from recommendation where ${conditions(sight, filter)} group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  return rows
}
