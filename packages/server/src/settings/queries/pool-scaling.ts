import type { NodePoolScaling } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The autoscaler of each pool, from the newest analysis. */
export async function listPoolScaling(db: Db, clusterId: string): Promise<NodePoolScaling[]> {
  const { rows } = await sql<NodePoolScaling>`
    select n.facts->>'pool' as name, count(*)::integer as nodes, (array_agg(v.verdict->'pool_scaling'))[1] as scaling
    from node n join node_verdict v on v.cluster_id = n.cluster_id and v.node_uid = n.node_uid
    where n.cluster_id = ${clusterId} and n.ended_at is null and v.verdict ? 'pool_scaling'
    group by 1 order by 1 limit 500`.execute(db)
  return rows
}
