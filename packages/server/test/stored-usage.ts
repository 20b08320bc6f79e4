import { sql } from 'kysely'
import type { Db } from '../src/platform/db/database.ts'

export type StoredRow = { what: string; hour: number; name: string; values: string }

/** All stored values of the hours of a cluster, byte by byte, except rate IDs. */
export async function storedHours(db: Db, clusterId: string): Promise<StoredRow[]> {
  const { rows } = await sql<StoredRow>`
    select what, (extract(epoch from hour) * 1000)::float8 as hour, name, values::text from (
      select 'node' as what, hour, node_uid as name, to_jsonb(n) - 'cluster_id' - 'rate_id' as values
        from node_hour n where cluster_id = ${clusterId}
      union all
      select 'workload', hour, workload_name, to_jsonb(w) - 'cluster_id' - 'rate_id'
        from workload_hour w where cluster_id = ${clusterId}
      union all
      select 'pod', hour, pod_uid, to_jsonb(p) - 'cluster_id' from pod_hour p where cluster_id = ${clusterId}
      union all
      select 'usage', hour, container_id::text, to_jsonb(u) - 'cluster_id' from usage_hour u where cluster_id = ${clusterId}
      union all
      select 'histogram', slot, container_id::text, to_jsonb(h) - 'cluster_id'
        from usage_histogram h where cluster_id = ${clusterId}
      union all
      select 'container', null, workload_name, to_jsonb(c) - 'cluster_id' from workload_container c where cluster_id = ${clusterId}
    ) stored order by what, hour, name, values::text`.execute(db)
  return rows
}
