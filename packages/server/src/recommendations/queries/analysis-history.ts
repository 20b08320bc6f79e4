import type { Labels } from '@plimsoll/contract'
import { HOURS_PER_MONTH, dayMs } from '@plimsoll/engine'
import { WORKING_HOURS, type NamespaceRhythm, type ScalingHistory } from '@plimsoll/engine/rules'
import { type LastUse, type NamespacePeak, PEAK_DAYS, type Scaled } from '@plimsoll/pipeline/facts'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { usd } from '../../platform/db/money.ts'

const daysBefore = (now: Date, days: number) => new Date(now.getTime() - days * dayMs)

/** When each was first known, and when it was last used, in the last weeks. */
export async function listLastUses(
  tx: Db,
  clusterId: string,
  uids: readonly string[],
  now: Date,
): Promise<Map<string, LastUse>> {
  if (uids.length === 0) return new Map()
  const { rows } = await sql<LastUse & { uid: string }>`
    select asset_uid as uid, min(hour) as "firstHour", max(hour) filter (where owner = 'workload') as "lastUsedHour"
    from asset_hour
    where cluster_id = ${clusterId} and hour >= ${daysBefore(now, 35)} and asset_uid = any(${uids})
    group by asset_uid`.execute(tx)
  return new Map(rows.map(({ uid, ...use }) => [uid, use]))
}

/**
 * The share of two weeks at the minimum, and the usage of the pods in the busiest tenth of these hours. A tolerance of
 * a tenth of a pod covers rollouts.
 */
export async function listScalingHistories(
  tx: Db,
  clusterId: string,
  scaled: readonly Scaled[],
  now: Date,
): Promise<Map<string, ScalingHistory>> {
  if (scaled.length === 0) return new Map()
  const { rows } = await sql<ScalingHistory & { key: string }>`
    with hours as (
      select h.namespace, h.workload_kind, h.workload_name, h.hour, sum(h.seconds) / 3600.0 as replicas,
        (sum(h.cpu_usage) filter (where not bridged))::float8
          / nullif(sum(h.cpu_request) filter (where not bridged), 0) as used, max(wanted."replicasMin") as least
      from workload_hour h
      join jsonb_to_recordset(${JSON.stringify(scaled)}::jsonb)
        as wanted (namespace text, kind text, name text, "replicasMin" integer)
        on h.namespace = wanted.namespace and h.workload_kind = wanted.kind and h.workload_name = wanted.name
      where h.cluster_id = ${clusterId} and h.hour >= ${daysBefore(now, 14)}
      group by 1, 2, 3, 4)
    select namespace || '/' || workload_kind || '/' || workload_name as key, (count(*) / 24)::integer as days,
      avg((replicas <= least + 0.1 and used is not null)::integer)::float8 as "atMinShare",
      100 * coalesce(percentile_cont(0.95) within group (order by used) filter (where replicas <= least + 0.1), 0)
        as "cpuUsePercent"
    from hours group by namespace, workload_kind, workload_name`.execute(tx)
  return new Map(rows.map(({ key, ...history }) => [key, history]))
}

/** For jobs and scaled workloads: the most pods in an hour of the last month; others have their current pods. */
export async function listReplicaPeaks(
  tx: Db,
  clusterId: string,
  scaled: readonly Scaled[],
  now: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ key: string; replicas: number }>`
    with hours as (
      select namespace, workload_kind, workload_name, hour, sum(seconds) / 3600.0 as replicas
      from workload_hour
      where cluster_id = ${clusterId} and hour >= ${daysBefore(now, PEAK_DAYS)}
        and (workload_kind in ('Job', 'CronJob') or (namespace, workload_kind, workload_name) in (
          select namespace, kind, name from jsonb_to_recordset(${JSON.stringify(scaled)}::jsonb)
            as wanted (namespace text, kind text, name text)))
      group by 1, 2, 3, 4)
    select namespace || '/' || workload_kind || '/' || workload_name as key, max(replicas)::float8 as replicas
    from hours group by namespace, workload_kind, workload_name`.execute(tx)
  return new Map(rows.map(({ key, replicas }) => [key, replicas]))
}

/** By namespace and name: the pod labels of the last run; from day sums, of which the last two may be missing. */
export async function listRestingLabels(
  tx: Db,
  clusterId: string,
  cronJobs: readonly { namespace: string; name: string }[],
  now: Date,
): Promise<Map<string, Labels>> {
  if (cronJobs.length === 0) return new Map()
  const today = Math.floor(now.getTime() / dayMs)
  const days = Array.from({ length: PEAK_DAYS }, (_, ago) => new Date((today - ago) * dayMs))
  const { rows } = await sql<{ key: string; labels: Labels }>`
    select distinct on (d.namespace, d.workload_name) d.namespace || '/' || d.workload_name as key, d.labels
    from workload_day d
    join jsonb_to_recordset(${JSON.stringify(cronJobs)}::jsonb) as wanted (namespace text, name text)
      on d.namespace = wanted.namespace and d.workload_name = wanted.name
    where d.cluster_id = ${clusterId} and d.day = any(${days}) and d.workload_kind = 'CronJob'
    order by d.namespace, d.workload_name, d.day desc, d.labels_hash`.execute(tx)
  return new Map(rows.map(({ key, labels }) => [key, labels]))
}

/**
 * By node class: the ratio of the busiest hour of the last month to the last day, for the resource with the larger
 * ratio.
 */
export async function listClassPeaks(tx: Db, clusterId: string, now: Date): Promise<Map<string, number>> {
  const { rows } = await sql<{ classKey: string; factor: number }>`
    with hours as (
      select r.class_key, h.hour, sum(h.cpu_alloc) as cpu, sum(h.memory_alloc) as memory
      from cluster_hour h join rate r using (rate_id)
      where h.cluster_id = ${clusterId} and h.hour >= ${daysBefore(now, PEAK_DAYS)}
      group by 1, 2), sums as (
      select class_key, max(cpu) as cpu, max(memory) as memory,
        max(cpu) filter (where hour >= ${daysBefore(now, 1)}) as day_cpu,
        max(memory) filter (where hour >= ${daysBefore(now, 1)}) as day_memory
      from hours group by class_key)
    select class_key as "classKey",
      greatest(coalesce(cpu / nullif(day_cpu, 0), 1), coalesce(memory / nullif(day_memory, 0), 1))::float8 as factor
    from sums`.execute(tx)
  return new Map(rows.map(({ classKey, factor }) => [classKey, factor]))
}

export async function countHoursOfWeek(tx: Db, clusterId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ hours: number }>`
    select count(*)::integer as hours from folded_hour
    where cluster_id = ${clusterId} and hour >= ${daysBefore(now, 7)}`.execute(tx)
  return rows[0]?.hours ?? 0
}

const isOffice = sql`extract(isodow from hour at time zone 'UTC') <= ${WORKING_HOURS.days}
  and extract(hour from hour at time zone 'UTC') >= ${WORKING_HOURS.fromHour}
  and extract(hour from hour at time zone 'UTC') < ${WORKING_HOURS.toHour}`

type RhythmRow = { namespace: string; days: number; coverage: number | null; office: number | null; off: number | null }

export async function listNamespaceRhythms(
  tx: Db,
  clusterId: string,
  namespaces: readonly string[],
  now: Date,
): Promise<Map<string, NamespaceRhythm>> {
  if (namespaces.length === 0) return new Map()
  const { rows } = await sql<RhythmRow>`
    with hours as (
      select namespace, hour, sum(cpu_usage) as used, sum(cpu_known) as known, sum(container_seconds) as lived
      from namespace_hour
      where cluster_id = ${clusterId} and hour >= ${daysBefore(now, 14)} and namespace = any(${namespaces})
      group by 1, 2)
    select namespace, (count(*) / 24)::integer as days, (sum(known) / nullif(sum(lived), 0))::float8 as coverage,
      (avg(used) filter (where ${isOffice}))::float8 as office, (avg(used) filter (where not (${isOffice})))::float8 as off
    from hours group by namespace`.execute(tx)
  const millicores = (microcoreSeconds: number | null) => (microcoreSeconds ?? 0) / 3600 / 1000
  return new Map(
    rows.map(({ namespace, days, coverage, office, off }) => [
      namespace,
      {
        days,
        coverage: coverage ?? 0,
        officeCpuMillicores: millicores(office),
        offCpuMillicores: millicores(off),
      },
    ]),
  )
}

/** The highest requests of the pods of a namespace in an hour of the last 30 days. */
export async function listNamespacePeaks(
  tx: Db,
  clusterId: string,
  namespaces: readonly string[],
  now: Date,
): Promise<Map<string, NamespacePeak>> {
  if (namespaces.length === 0) return new Map()
  const { rows } = await sql<NamespacePeak & { namespace: string }>`
    with hours as (
      select namespace, hour, sum(cpu_request) / 3600 / 1000 as cpu, sum(memory_request) / 3600 as memory
      from namespace_hour
      where cluster_id = ${clusterId} and hour >= ${daysBefore(now, PEAK_DAYS)} and namespace = any(${namespaces})
      group by 1, 2)
    select namespace, (count(*) / 24)::integer as days, max(cpu)::float8 as "cpuMillicores", max(memory)::float8 as "memoryKib"
    from hours group by namespace`.execute(tx)
  return new Map(rows.map(({ namespace, ...peak }) => [namespace, peak]))
}

/** The monthly cost of the runs of these CronJobs, by the last week or its known part. */
export async function listRunCosts(
  tx: Db,
  clusterId: string,
  jobs: readonly { namespace: string; name: string }[],
  now: Date,
): Promise<Map<string, number>> {
  if (jobs.length === 0) return new Map()
  const wanted = JSON.stringify(jobs.map(({ namespace, name }) => ({ namespace, name })))
  const from = daysBefore(now, 7)
  const { rows } = await sql<{ key: string; usd: number; hours: number }>`
    select h.namespace || '/' || h.workload_name as key, sum(${usd('alloc')})::float8 as usd,
      (select count(*) from folded_hour where cluster_id = ${clusterId} and hour >= ${from})::integer as hours
    from workload_hour h
    join jsonb_to_recordset(${wanted}::jsonb) as wanted (namespace text, name text)
      on h.namespace = wanted.namespace and h.workload_name = wanted.name
    join rate using (rate_id)
    where h.cluster_id = ${clusterId} and h.hour >= ${from} and h.workload_kind = 'CronJob'
    group by 1`.execute(tx)
  return new Map(
    rows.flatMap(({ key, usd: spent, hours }) => (hours > 0 ? [[key, (spent / hours) * HOURS_PER_MONTH]] : [])),
  )
}
