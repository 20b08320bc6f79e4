import { sql } from 'kysely'
import type { NodeVerdict } from '@plimsoll/pipeline/facts'
import type { Db } from '../../platform/db/database.ts'

/** Replaces the verdicts of the previous analysis; unnamed nodes have none. */
export async function writeNodeVerdicts(tx: Db, clusterId: string, verdicts: readonly NodeVerdict[]): Promise<void> {
  const uids = verdicts.map(({ uid }) => uid)
  await sql`delete from node_verdict where cluster_id = ${clusterId} and not node_uid = any(${uids})`.execute(tx)
  if (verdicts.length === 0) return
  await sql`
    insert into node_verdict (cluster_id, node_uid, verdict)
    select ${clusterId}, uid, verdict
    from jsonb_to_recordset(${JSON.stringify(verdicts)}::jsonb) as record (uid text, verdict jsonb)
    on conflict (cluster_id, node_uid) do update set verdict = excluded.verdict
    where node_verdict.verdict is distinct from excluded.verdict`.execute(tx)
}
