import { hourMs } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { HourWindow } from '../parse-window.ts'

/** The last finalised hour of each cluster that has one. */
export async function listLastHours(tx: Db, clusterIds: readonly string[]): Promise<ReadonlyMap<string, HourWindow>> {
  const { rows } = await sql<{ id: string; hour: Date }>`
    select asked.id, newest.hour from unnest(${clusterIds}::text[]) as asked (id)
    cross join lateral (
      select hour from folded_hour where cluster_id = asked.id order by hour desc limit 1) newest`.execute(tx)
  return new Map(rows.map(({ id, hour }) => [id, windowOf(hour)]))
}

const windowOf = (hour: Date): HourWindow => ({ name: 'custom', from: hour, to: new Date(hour.getTime() + hourMs) })

/** Sums of an hour in unit-seconds, as text. */
export type PodAllocation = {
  namespace: string
  pod: string
  node: string
  cpu: string
  memory: string
  gpu: string
}

export async function listPodAllocations(
  tx: Db,
  clusterId: string,
  { hour, rowsMax }: { hour: Date; rowsMax: number },
): Promise<PodAllocation[]> {
  const { rows } = await sql<PodAllocation>`
    select p.namespace, p.pod_name as pod, coalesce(n.name, p.node_uid) as node,
      sum(cpu_alloc) as cpu, sum(memory_alloc) as memory, sum(gpu_alloc) as gpu
    from pod_hour p left join node n on n.cluster_id = p.cluster_id and n.node_uid = p.node_uid
    where p.cluster_id = ${clusterId} and p.hour = ${hour}
    group by 1, 2, 3 order by 1, 2, 3 limit ${rowsMax}::int`.execute(tx)
  return rows
}
