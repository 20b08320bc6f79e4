import { sql } from 'kysely'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { CoveredHours } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { cloudResourceUsd, isUnpriced, usd } from '../../platform/db/money.ts'
import { coveredRows } from './quantities.ts'

/** Sums in unit-seconds and costs are exact, as text. */
export type NodeAsset = {
  uid: string
  name: string
  providerId: string
  instanceType: string
  region: string
  arch: string
  pool: string
  capacityType: string
  seconds: string
  cpuCapacity: string
  memoryCapacity: string
  gpuCapacity: string
  cpuUsed: string
  memoryUsed: string
  cpuReserved: string
  memoryReserved: string
  cpu: string
  memory: string
  gpu: string
  isUnpriced: boolean
}

const resources = ['cpu', 'memory', 'gpu'] as const

export async function listNodeAssets(tx: Db, cover: CoveredHours, rowsMax: number): Promise<NodeAsset[]> {
  const uses = ['capacity', 'used', 'reserved']
  const sums = ['seconds', ...resources.flatMap((each) => uses.map((use) => `${each}_${use}`))]
  const { rows } = await sql<NodeAsset>`
    with quantity as (
      select node_uid, rate_id, ${sql.join(sums.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))}
      from (${coveredRows(cover, { table: 'node', keys: ['node_uid', 'rate_id'], sums })}) covered group by 1, 2)
    select q.node_uid as uid, coalesce(n.name, q.node_uid) as name, coalesce(n.facts ->> 'provider_id', '') as "providerId",
      coalesce(n.facts ->> 'instance_type', '') as "instanceType", coalesce(n.facts ->> 'pool', '') as pool,
      coalesce(n.facts ->> 'capacity_type', '') as "capacityType", coalesce(n.facts ->> 'region', '') as region,
      coalesce(n.facts ->> 'arch', '') as arch, q.*
    from (
      select node_uid, sum(seconds) as seconds, sum(cpu_capacity) as "cpuCapacity", sum(memory_capacity) as "memoryCapacity",
        sum(gpu_capacity) as "gpuCapacity", sum(cpu_used) as "cpuUsed", sum(memory_used) as "memoryUsed",
        sum(cpu_reserved) as "cpuReserved", sum(memory_reserved) as "memoryReserved",
        sum(${usd('capacity', ['cpu'])}) as cpu, sum(${usd('capacity', ['memory'])}) as memory,
        sum(${usd('capacity', ['gpu'])}) as gpu, bool_or(${isUnpriced('capacity')}) as "isUnpriced"
      from quantity join rate using (rate_id) group by 1) q
    left join node n on n.cluster_id = ${cover.clusterId} and n.node_uid = q.node_uid
    limit ${rowsMax + 1}::int`.execute(tx)
  return rows
}

export type CloudResourceAsset = {
  uid: string
  kind: CloudResourceKind
  name: string
  objectName: string
  namespace: string
  unitSeconds: string
  usd: string
  isUnpriced: boolean
}

/** The volumes, load balancers and control planes of the stored hours of a window. Older hours are only sums. */
export async function listCloudResourceAssets(
  tx: Db,
  clusterId: string,
  { from, to, rowsMax }: { from: Date; to: Date; rowsMax: number },
): Promise<CloudResourceAsset[]> {
  const { rows } = await sql<CloudResourceAsset>`
    select q.*, coalesce(a.name, q.uid) as name, coalesce(a.object_name, '') as "objectName",
      coalesce(a.namespace, '') as namespace
    from (
      select h.asset_uid as uid, h.kind, sum(unit_seconds) as "unitSeconds", sum(${cloudResourceUsd}) as usd,
        bool_or(unit_seconds > 0 and rate.asset_usd_per_unit_second is null) as "isUnpriced"
      from asset_hour h join rate using (rate_id)
      where h.cluster_id = ${clusterId} and h.hour >= ${from} and h.hour < ${to}
        and exists (select from folded_hour f where f.cluster_id = h.cluster_id and f.hour = h.hour)
      group by 1, 2) q
    left join asset a on a.cluster_id = ${clusterId} and a.asset_uid = q.uid
    limit ${rowsMax + 1}::int`.execute(tx)
  return rows
}
