import { HOURS_PER_MONTH } from '@plimsoll/engine'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type CloudResourcePriceRow = {
  clusterId: string
  uid: string
  endedAt: Date | null
  /** Of the resource, or of the resource that was created again with its name. */
  usdPerMonth: string
  isRecreated: boolean
}

export type CloudResourceIds = { clusterIds: readonly string[]; uids: readonly string[] }

/**
 * What cloud resources cost in the newest finalised hours, and when they ended. The maximum of six hours: an hour that
 * is not complete would look like a lower price. A volume with the same claim, or a Service with the same name, is the
 * same resource for the bill.
 */
export async function listCloudResourcePrices(
  tx: Db,
  { clusterIds, uids }: CloudResourceIds,
): Promise<CloudResourcePriceRow[]> {
  if (uids.length === 0) return []
  const { rows } = await sql<CloudResourcePriceRow>`
    select id.cluster_id as "clusterId", id.asset_uid as uid, a.ended_at as "endedAt", coalesce(p.usd, 0) as "usdPerMonth",
      again.asset_uid is not null as "isRecreated"
    from unnest(${clusterIds}::text[], ${uids}::text[]) as id (cluster_id, asset_uid)
    left join asset a on a.cluster_id = id.cluster_id and a.asset_uid = id.asset_uid
    left join lateral (
      select other.asset_uid from asset other
      where a.ended_at is not null and other.cluster_id = a.cluster_id and other.kind = a.kind
        and other.namespace = a.namespace and other.name = a.name
        and other.first_seen_at > a.first_seen_at and other.ended_at is null
      order by other.first_seen_at desc limit 1) again on true
    cross join lateral (
      select max(hour) as hour from folded_hour f where f.cluster_id = id.cluster_id) newest
    left join lateral (
      select round(max(usd) * ${sql.lit(HOURS_PER_MONTH)}, 12) as usd
      from (
        select sum(h.unit_seconds * r.asset_usd_per_unit_second) as usd from asset_hour h join rate r using (rate_id)
        where h.cluster_id = id.cluster_id and h.asset_uid = coalesce(again.asset_uid, id.asset_uid)
          and h.hour > newest.hour - interval '6 hours' and h.hour <= newest.hour
        group by h.hour) hours) p on true`.execute(tx)
  return rows
}

export type CloudResourceCostRow = {
  uid: string
  kind: 'volume' | 'balancer' | 'control_plane'
  before: string
  now: string
}

type Hours = { from: Date; to: Date }

/** The cost of some cloud resources of a cluster in two windows, in USD. */
export async function sumCloudResourceCosts(
  tx: Db,
  clusterId: string,
  uids: readonly string[],
  windows: { before: Hours; now: Hours },
): Promise<CloudResourceCostRow[]> {
  if (uids.length === 0) return []
  const within = ({ from, to }: Hours) => sql`(h.hour >= ${from} and h.hour < ${to})`
  const costIn = (hours: Hours) =>
    sql`round(coalesce(sum(h.unit_seconds * r.asset_usd_per_unit_second) filter (where ${within(hours)}), 0), 24)`
  const { rows } = await sql<CloudResourceCostRow>`
    select h.asset_uid as uid, h.kind, ${costIn(windows.before)} as before, ${costIn(windows.now)} as now
    from asset_hour h join rate r using (rate_id)
    where h.cluster_id = ${clusterId} and h.asset_uid = any(${uids})
      and (${within(windows.before)} or ${within(windows.now)})
    group by 1, 2`.execute(tx)
  return rows
}
