import { sql } from 'kysely'
import type { CloudResources } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'

/** The names for receipts. Most are unchanged, and then nothing is written. */
export async function writeCloudResources(
  tx: Db,
  clusterId: string,
  { volumes, balancers }: CloudResources,
): Promise<void> {
  const records = [...volumes.values(), ...balancers.values()].flatMap(({ uid, kind, versions, endedAt }) => {
    const [first, newest] = [versions[0], versions.at(-1)]
    if (!first || !newest) return []
    const { facts } = newest
    const name = 'claim' in facts && facts.claim !== '' ? facts.claim : facts.name
    const ended_at = Number.isFinite(endedAt) ? endedAt : null
    const { name: object_name, namespace } = facts
    return [{ uid, kind, name, object_name, namespace, born_at: first.from, ended_at }]
  })
  if (records.length === 0) return
  await sql`
    insert into asset (cluster_id, asset_uid, kind, name, object_name, namespace, first_seen_at, ended_at)
    select ${clusterId}, uid, kind, name, object_name, namespace, to_timestamp(born_at), to_timestamp(ended_at)
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as record (uid text, kind text, name text, object_name text, namespace text, born_at float8, ended_at float8)
    on conflict (cluster_id, asset_uid) do update set
      name = excluded.name, object_name = excluded.object_name, namespace = excluded.namespace, ended_at = excluded.ended_at
    where (asset.name, asset.object_name, asset.namespace, asset.ended_at)
      is distinct from (excluded.name, excluded.object_name, excluded.namespace, excluded.ended_at)`.execute(tx)
}
