import { sql } from 'kysely'
import type { CloudResourceRow } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import { labelsHash } from './labels-hash.ts'
import type { Rated, RateMove } from './rated-rows.ts'

const keys = ['kind', 'asset_uid', 'owner', 'namespace', 'workload_kind', 'workload_name', 'labels', 'labels_hash']
const keyColumns = sql.join(keys.map((name) => sql.ref(name)))

/** Replaces the cloud resources of the hours. */
export async function writeCloudResourceHours(
  tx: Db,
  clusterId: string,
  hours: readonly Date[],
  rows: readonly Rated<CloudResourceRow>[],
): Promise<void> {
  await sql`delete from asset_hour where cluster_id = ${clusterId} and hour = any(${hours})`.execute(tx)
  if (rows.length === 0) return
  const records = rows.map(({ hour, row, rateId }) => ({
    hour,
    kind: row.kind,
    asset_uid: row.cloudResourceUid,
    owner: row.owner,
    namespace: row.namespace,
    workload_kind: row.workloadKind,
    workload_name: row.workloadName,
    labels: row.labels,
    labels_hash: labelsHash(row.labels),
    rate_id: rateId,
    unit_seconds: row.unitSeconds.toString(),
  }))
  await sql`
    insert into asset_hour (cluster_id, hour, ${keyColumns}, rate_id, unit_seconds)
    select ${clusterId}, hour, ${keyColumns}, rate_id, sum(unit_seconds)
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as record (hour timestamptz, kind text, asset_uid text, owner text,
      namespace text, workload_kind text, workload_name text, labels jsonb, labels_hash text, rate_id bigint,
      unit_seconds numeric)
    group by hour, ${keyColumns}, rate_id`.execute(tx)
}

/** Moves stored hours to other rates; quantities stay the same. */
export async function moveCloudResourceRates(tx: Db, clusterId: string, moves: readonly RateMove[]): Promise<void> {
  const hours = moves.map(({ hour }) => hour.getTime())
  const [first, last] = [new Date(Math.min(...hours)), new Date(Math.max(...hours))]
  await sql`
    update asset_hour stored set rate_id = move."to"
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move (hour timestamptz, "from" bigint, "to" bigint)
    where stored.cluster_id = ${clusterId} and stored.hour >= ${first} and stored.hour <= ${last}
      and stored.hour = move.hour and stored.rate_id = move."from"`.execute(tx)
}
