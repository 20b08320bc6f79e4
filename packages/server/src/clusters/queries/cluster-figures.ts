import type { Condition } from '@plimsoll/contract'
import { findProvider } from '@plimsoll/pricebook'
import { sql } from 'kysely'
import { changedConditions, type Identity } from '../cluster-conditions.ts'
import { unknownPlace } from '../place.ts'
import type { ClusterPlace } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'
import { recordEvents } from '../../platform/events.ts'

/** With the provider name of the price list: users may have entered an alias. */
export async function findClusterPlace(tx: Db, clusterId: string): Promise<ClusterPlace> {
  const columns = ['provider', 'region'] as const
  const row = await tx.selectFrom('cluster').select(columns).where('cluster_id', '=', clusterId).executeTakeFirst()
  if (!row) return { provider: unknownPlace, region: unknownPlace }
  return { provider: findProvider(row.provider) ?? row.provider, region: row.region }
}

/** Unset values are taken from the agent; values of users stay. */
export async function writeReportedPlace(
  tx: Db,
  clusterId: string,
  { provider, region }: ClusterPlace,
  now: Date,
): Promise<void> {
  await sql`
    update cluster set
      provider = case provider when 'unknown' then ${provider} else provider end,
      region = case region when 'unknown' then ${region} else region end,
      revision = revision + 1, updated_at = ${now}
    where cluster_id = ${clusterId}
      and ((provider = 'unknown' and ${provider} <> 'unknown') or (region = 'unknown' and ${region} <> 'unknown'))`.execute(
    tx,
  )
}

export type PriceCounts = { total: number; unpriced: number; estimated: number }

export async function countNodePrices(tx: Db, clusterId: string): Promise<PriceCounts> {
  const { rows } = await sql<PriceCounts>`
    select coalesce(sum(c.nodes), 0)::float8 as total,
      coalesce(sum(c.nodes) filter (where case when c.cpu_units is null then r.node_usd_per_hour
        else r.cpu_usd_per_microcore_second end is null), 0)::float8 as unpriced,
      coalesce(sum(c.nodes) filter (where r.estimated), 0)::float8 as estimated
    from node_class c join rate r using (rate_id) where c.cluster_id = ${clusterId}`.execute(tx)
  return rows[0] ?? { total: 0, unpriced: 0, estimated: 0 }
}

export async function countQuarantined(tx: Db, clusterId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::float8 as count from ingest_batch
    where cluster_id = ${clusterId} and state = 'quarantined' and received_at > ${since}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findIdentity(tx: Db, clusterId: string): Promise<Identity> {
  const row = await tx
    .selectFrom('cluster_state')
    .innerJoin('cluster', 'cluster.cluster_id', 'cluster_state.cluster_id')
    .select(['kube_system_uid as ownUid', 'foreign_uid as foreignUid', 'foreign_uid_at as foreignUidAt'])
    .where('cluster.cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row ?? { ownUid: null, foreignUid: null, foreignUidAt: null }
}

/** The highest number of merged workloads in one hour. */
export async function countOtherWorkloads(tx: Db, clusterId: string, since: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(max(other_workloads), 0)::float8 as count from folded_hour
    where cluster_id = ${clusterId} and hour > ${since}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function findConditions(tx: Db, clusterId: string): Promise<Condition[]> {
  const row = await tx
    .selectFrom('cluster_state')
    .select('conditions')
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return row?.conditions ?? []
}

type ConditionChange = { before: readonly Condition[]; after: readonly Condition[]; now: Date }

/** With an event for each condition that began, ended or changed its reason. */
export async function writeConditions(
  tx: Db,
  clusterId: string,
  { before, after, now }: ConditionChange,
): Promise<void> {
  const set = { conditions: JSON.stringify(after) }
  await tx.updateTable('cluster_state').set(set).where('cluster_id', '=', clusterId).execute()
  const events = changedConditions(before, after).map(({ type, ...data }) => {
    const subject = { type: 'condition', id: type }
    return { kind: 'condition.changed' as const, at: now, clusterId, subject, data }
  })
  await recordEvents(tx, events)
}

/** The agent reports, and its first hour is not complete. */
export async function isCollecting(tx: Db, clusterId: string): Promise<boolean> {
  const { rows } = await sql<{ collecting: boolean }>`
    select last_sync_at is not null
      and not exists (select from folded_hour where cluster_id = ${clusterId}) as collecting
    from cluster_state where cluster_id = ${clusterId}`.execute(tx)
  return rows[0]?.collecting === true
}

export type LiveCounts = { nodes: number; pods: number; podsAllocatable: number }

export async function findLiveCounts(tx: Db, clusterId: string): Promise<LiveCounts> {
  const row = await tx
    .selectFrom('cluster_state')
    .select(['node_count as nodes', 'pod_count as pods', 'pods_allocatable as podsAllocatable'])
    .where('cluster_id', '=', clusterId)
    .executeTakeFirst()
  return { nodes: row?.nodes ?? 0, pods: row?.pods ?? 0, podsAllocatable: Number(row?.podsAllocatable ?? 0) }
}
