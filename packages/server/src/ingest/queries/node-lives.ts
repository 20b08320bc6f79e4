import { HOURS_PER_MONTH, SECONDS_PER_HOUR } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type NodeLifeRow = {
  clusterId: string
  uid: string
  name: string
  pool: string
  startedAt: Date
  endedAt: Date | null
  /** Null: no price is known. */
  usdPerMonth: string | null
}

export type NodeOfPromise = { clusterId: string; name: string; pool: string }

/** A larger fleet would hold the event loop: the oldest changes of unnamed nodes are left out. */
const livesMax = 20_000

/** The rate of the last hour of node `n`. */
const lastRate = sql`
  select h.rate_id from node_hour h
  where h.cluster_id = n.cluster_id and h.node_uid = n.node_uid
    and h.hour > n.ended_at - interval '3 hours' and h.hour <= n.ended_at
  order by h.hour desc, h.rate_id desc limit 1`

const capacity = (resource: 'cpu' | 'memory' | 'gpu') =>
  sql`coalesce((n.facts -> 'capacity' ->> ${sql.lit(resource)})::numeric, 0)`

/** The price of node `n` by rate `r`. */
const usdPerHour = sql`
  coalesce(r.node_usd_per_hour, ${sql.lit(SECONDS_PER_HOUR)} * (
    ${capacity('cpu')} * r.cpu_usd_per_microcore_second + ${capacity('memory')} * r.memory_usd_per_kib_second
    + ${capacity('gpu')} * coalesce(r.gpu_usd_per_part_second, 0)))`

/** Stores the price of nodes that ended before this time. Their hours are deleted soon. */
export async function keepEndPrices(db: Db, endedBefore: Date): Promise<void> {
  await sql`
    update node set end_usd_per_hour = price.usd
    from (
      select n.cluster_id, n.node_uid, ${usdPerHour} as usd
      from node n cross join lateral (${lastRate}) last join rate r on r.rate_id = last.rate_id
      where n.ended_at < ${endedBefore} and n.ended_at > ${endedBefore}::timestamptz - interval '30 days'
        and n.end_usd_per_hour is null) price
    where node.cluster_id = price.cluster_id and node.node_uid = price.node_uid`.execute(db)
}

/**
 * The named nodes that did not end before `since`, and the nodes of their pools that started or ended after it: nodes
 * that run all the time replace no node. With the measured price: for an ended node the rate of its last hour, else the
 * current rate of its class. Hours of nodes are kept for weeks; after that, the price that `keepEndPrices` stored.
 */
export async function listNodeLives(tx: Db, named: readonly NodeOfPromise[], since: Date): Promise<NodeLifeRow[]> {
  if (named.length === 0) return []
  const clusterIds = [...new Set(named.map(({ clusterId }) => clusterId))]
  const { rows } = await sql<NodeLifeRow>`
    with named as (
      select * from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as n ("clusterId" text, name text, pool text)),
    life as materialized (
      select n.*, is_named from node n
      cross join lateral (
        select (n.cluster_id, n.name) in (select "clusterId", name from named) as is_named) x
      where n.cluster_id = any(${clusterIds})
        and (n.ended_at > ${since} or n.ended_at is null and (n.first_seen_at > ${since} or is_named))
        and (is_named or (n.cluster_id, n.facts ->> 'pool') in (select "clusterId", pool from named))
      order by is_named desc, coalesce(n.ended_at, n.first_seen_at) desc, n.cluster_id, n.node_uid limit ${livesMax})
    select n.cluster_id as "clusterId", n.node_uid as uid, n.name, n.facts ->> 'pool' as pool,
      n.first_seen_at as "startedAt", n.ended_at as "endedAt",
      round(${sql.lit(HOURS_PER_MONTH)} * case when last.rate_id is null then coalesce(n.end_usd_per_hour, ${usdPerHour})
        else ${usdPerHour} end, 12) as "usdPerMonth"
    from life n
    left join node_class c on c.cluster_id = n.cluster_id and c.class_key = n.facts ->> 'class_key'
    left join lateral (${lastRate}) last on true
    left join rate r on r.rate_id = coalesce(last.rate_id, c.rate_id)
    order by n.cluster_id, n.node_uid`.execute(tx)
  return rows
}
