import { sql } from 'kysely'
import type { CloudResourceOwner } from '@plimsoll/pipeline/fold'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { CoveredHours, WorkloadName } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'

export type CloudResourceHour = {
  hour: Date
  kind: CloudResourceKind
  cloudResourceUid: string
  /** Null: forgotten. */
  name: string | null
  namespace: string | null
  rateId: string
  unitSeconds: string
}

export type CloudResourceSelection = {
  kinds: readonly CloudResourceKind[]
  owners: CloudResourceOwners
}

/** Workloads that use them, or their kind without a user. */
export type CloudResourceOwners =
  | { kind: 'any' }
  | { kind: 'unowned'; as: Exclude<CloudResourceOwner, 'workload'> }
  | { kind: 'namespace'; namespace: string }
  | { kind: 'workload'; workload: WorkloadName }

/** Each resource in each hour, with its name. */
export async function sumCloudResourceHours(
  tx: Db,
  { clusterId, hours }: CoveredHours,
  { kinds, owners }: CloudResourceSelection,
): Promise<CloudResourceHour[]> {
  const { rows } = await sql<CloudResourceHour>`
    select h.hour, h.kind, h.asset_uid as "cloudResourceUid", a.name, a.namespace, h.rate_id as "rateId",
      sum(h.unit_seconds) as "unitSeconds"
    from asset_hour h left join asset a on a.cluster_id = h.cluster_id and a.asset_uid = h.asset_uid
    where h.cluster_id = ${clusterId} and h.hour = any(${hours}) and h.kind = any(${kinds}) and ${onlyOf(owners)}
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 6`.execute(tx)
  return rows
}

function onlyOf(owners: CloudResourceOwners) {
  if (owners.kind === 'any') return sql`true`
  if (owners.kind === 'unowned') return sql`h.owner = ${owners.as}`
  if (owners.kind === 'namespace') return sql`h.owner = 'workload' and h.namespace = ${owners.namespace}`
  const { namespace, kind, name } = owners.workload
  return sql`h.owner = 'workload' and (h.namespace, h.workload_kind, h.workload_name) = (${namespace}, ${kind}, ${name})`
}
