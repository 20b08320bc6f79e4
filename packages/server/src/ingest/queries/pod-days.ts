import { dayMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { podSums } from './pod-hours.ts'

/** Retention in days. Hours of pods are deleted earlier, and the sums of their day then stay as they are. */
export const podDaysKept = 35

const names = ['pod_name', 'namespace', 'workload_kind', 'workload_name', 'node_uid']
const uses = podSums.filter((name) => name !== 'seconds')

/** Called while no hours of the cluster are written. */
export async function sumUpPods(tx: Db, clusterId: string, day: Date): Promise<void> {
  const hours = sql`cluster_id = ${clusterId} and hour >= ${day} and hour < ${new Date(day.getTime() + dayMs)}`
  const { rows } = await sql`select from pod_hour where ${hours} limit 1`.execute(tx)
  if (rows.length === 0) return
  await sql`delete from pod_day where cluster_id = ${clusterId} and day = ${day}`.execute(tx)
  const sums = podSums.map((name) => sql`sum(${sql.ref(name)})`)
  const columns = ['pod_uid', ...names, ...podSums].map((name) => sql.ref(name))
  await sql`
    insert into pod_day (cluster_id, day, ${sql.join(columns)}, containers)
    select ${clusterId}, ${day}, pod_uid, ${sql.join(names.map((name) => sql`min(${sql.ref(name)})`))}, ${sql.join(sums)},
      case when ${hasOneContainer} then min(containers::text)::jsonb else '{}' end
    from pod_hour where ${hours} group by pod_uid`.execute(tx)
  await sumUpContainers(tx, { clusterId, day, hours })
}

/** In every hour the same single container. */
const hasOneContainer = sql`
  min(containers::text) = max(containers::text) and min(jsonb_path_query_array(containers, '$.*')::text) = '[[]]'`

type Day = { clusterId: string; day: Date; hours: ReturnType<typeof sql> }

/** Of pods with several containers. Hours without known containers leave a pod without containers. */
async function sumUpContainers(tx: Db, { clusterId, day, hours }: Day): Promise<void> {
  const parts = uses.map(
    (name, at) => sql`sum(coalesce((part.value ->> ${sql.lit(at)})::bigint, ${sql.ref(`h.${name}`)}))`,
  )
  await sql`
    update pod_day set containers = summed.containers
    from (
      select pod_uid, jsonb_object_agg(container, numbers) as containers from (
        select h.pod_uid, part.key as container, jsonb_build_array(${sql.join(parts)}) as numbers
        from pod_hour h, jsonb_each(h.containers) part
        where ${hours} and h.pod_uid in (select pod_uid from pod_day where cluster_id = ${clusterId} and day = ${day} and containers = '{}')
        group by 1, 2) part
      where pod_uid not in (select pod_uid from pod_hour where ${hours} and containers = '{}')
      group by pod_uid) summed
    where pod_day.cluster_id = ${clusterId} and pod_day.day = ${day} and pod_day.pod_uid = summed.pod_uid`.execute(tx)
}
