import { sql } from 'kysely'
import type { LiveCloudResources } from '@plimsoll/pipeline/fold'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'
import { updateRateIds, type RateIds } from './rates.ts'
import type { NotedClass } from './node-classes.ts'

export type CloudResourceClassRow = {
  classKey: string
  kind: CloudResourceKind
  assets: number
  units: string
  lastSeenAt: Date
}

/** Current classes, and classes that stored hours may contain. */
export async function listCloudResourceClasses(
  db: Db,
  clusterId: string,
  seenSince: Date,
): Promise<CloudResourceClassRow[]> {
  const { rows } = await sql<CloudResourceClassRow>`
    select class_key as "classKey", kind, assets, units, last_seen_at as "lastSeenAt" from asset_class
    where cluster_id = ${clusterId} and (assets > 0 or last_seen_at >= ${seenSince})
    order by assets desc, class_key`.execute(db)
  return rows
}

/** Kinds with current resources without a price. */
export async function listUnpricedKinds(tx: Db, clusterId: string): Promise<CloudResourceKind[]> {
  const { rows } = await sql<{ kind: CloudResourceKind }>`
    select distinct kind from asset_class join rate using (rate_id)
    where cluster_id = ${clusterId} and units > 0 and asset_usd_per_unit_second is null
    order by kind desc`.execute(tx)
  return rows.map(({ kind }) => kind)
}

/** Replaces the current classes; a class that is gone keeps its last time. */
export async function writeCloudResourceClasses(
  tx: Db,
  clusterId: string,
  { seen, rateIds, observedAt }: { seen: ReadonlyMap<string, LiveCloudResources>; rateIds: RateIds; observedAt: Date },
): Promise<void> {
  await sql`
    update asset_class set assets = 0, units = 0
    where cluster_id = ${clusterId} and assets > 0 and not class_key = any(${[...seen.keys()]})`.execute(tx)
  const records = [...seen].map(([classKey, { kind, assets, units }]) => ({
    classKey,
    kind,
    assets,
    units: units.toString(),
    rateId: rateIds.get(classKey),
    seenAt: observedAt,
  }))
  const changes = sql`assets = excluded.assets, units = excluded.units, rate_id = excluded.rate_id,`
  await upsert(tx, clusterId, records, changes)
}

/** Classes of written hours: they may have existed only between two snapshots. */
export async function noteCloudResourceClasses(tx: Db, clusterId: string, noted: readonly NotedClass[]): Promise<void> {
  const records = noted.map(({ classKey, rateId, hour }) => ({
    classKey,
    kind: (JSON.parse(classKey) as { asset: CloudResourceKind }).asset,
    assets: 0,
    units: '0',
    rateId,
    seenAt: hour,
  }))
  await upsert(tx, clusterId, records, sql``)
}

async function upsert(tx: Db, clusterId: string, records: object[], changes: ReturnType<typeof sql>) {
  await sql`
    insert into asset_class (cluster_id, class_key, kind, assets, units, rate_id, last_seen_at)
    select ${clusterId}, "classKey", kind, assets, units, "rateId", "seenAt"
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as record ("classKey" text, kind text, assets integer, units numeric, "rateId" bigint, "seenAt" timestamptz)
    on conflict (cluster_id, class_key) do update set ${changes}
      last_seen_at = greatest(asset_class.last_seen_at, excluded.last_seen_at)`.execute(tx)
}

export async function updateCloudResourceClassRates(tx: Db, clusterId: string, rateIds: RateIds): Promise<void> {
  await updateRateIds(tx, { table: 'asset_class', clusterId, rateIds })
}
