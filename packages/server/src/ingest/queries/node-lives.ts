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

/**
 * The named nodes that did not end before `since`, and the nodes of their pools that started or ended after it: nodes
 * that run all the time replace no node. With the measured price: for an ended node the rate of its last hour, else the
 * current rate of its class. Hours of nodes are kept for weeks; after that, the rate of the class remains.
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
      round(${sql.lit(HOURS_PER_MONTH)} * coalesce(r.node_usd_per_hour, ${sql.lit(SECONDS_PER_HOUR)} * (
        (n.facts -> 'capacity' ->> 'cpu')::numeric * r.cpu_usd_per_microcore_second
        + (n.facts -> 'capacity' ->> 'memory')::numeric * r.memory_usd_per_kib_second)), 12) as "usdPerMonth"
    from life n
    left join node_class c on c.cluster_id = n.cluster_id and c.class_key = n.facts ->> 'class_key'
    left join lateral (
      select h.rate_id from node_hour h
      where h.cluster_id = n.cluster_id and h.node_uid = n.node_uid
        and h.hour > n.ended_at - interval '3 hours' and h.hour <= n.ended_at
      order by h.hour desc, h.rate_id desc limit 1) last on true
    left join rate r on r.rate_id = coalesce(last.rate_id, c.rate_id)
    order by n.cluster_id, n.node_uid`.execute(tx)
  return rows
}
