import { dayMs, hourMs } from '@plimsoll/engine'
import type { WorkloadPast } from '@plimsoll/pipeline/estimates'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

type Named = { namespace: string; kind: string; name: string }

const days = 7
/** A CronJob may run once a month. */
const daysOfCronJobs = 31

/** By namespace, kind and name, joined with slashes: the stored hours in which these workloads ran. */
export async function listWorkloadPasts(
  tx: Db,
  clusterId: string,
  workloads: readonly Named[],
  now: Date,
): Promise<Map<string, WorkloadPast>> {
  const wanted = JSON.stringify(workloads.map(({ namespace, kind, name }) => ({ namespace, kind, name })))
  const before = (count: number) => new Date(now.getTime() - count * dayMs)
  const { rows } = await sql<WorkloadPast & { key: string; lastHour: Date | null }>`
    with wanted as (
      select * from jsonb_to_recordset(${wanted}::jsonb) as wanted (namespace text, kind text, name text)),
    hours as (
      select h.namespace, h.workload_kind, h.workload_name, h.hour, sum(h.seconds) as seconds,
        sum(h.container_seconds) as lived, sum(h.cpu_usage) as cpu, sum(h.cpu_known) as cpu_known,
        sum(h.memory_usage) as memory, sum(h.memory_known) as memory_known
      from workload_hour h
      join wanted on h.namespace = wanted.namespace and h.workload_kind = wanted.kind and h.workload_name = wanted.name
      where h.cluster_id = ${clusterId} and h.hour >= ${before(daysOfCronJobs)}
        and (h.workload_kind = 'CronJob' or h.hour >= ${before(days)})
      group by 1, 2, 3, 4)
    select namespace || '/' || workload_kind || '/' || workload_name as key, count(*)::integer as hours,
      sum(seconds)::float8 as "podSeconds", min(hour) as from,
      (sum(cpu) * sum(lived) / nullif(sum(cpu_known), 0) / count(*) / 3600)::float8 as "cpuMicrocores",
      (sum(memory) * sum(lived) / nullif(sum(memory_known), 0) / count(*) / 3600)::float8 as "memoryKib",
      (select max(hour) from folded_hour where cluster_id = ${clusterId}) as "lastHour"
    from hours group by namespace, workload_kind, workload_name having sum(seconds) > 0`.execute(tx)
  return new Map(
    rows.map(({ key, lastHour, ...past }) => [
      key,
      { ...past, to: new Date((lastHour ?? past.from).getTime() + hourMs) },
    ]),
  )
}
