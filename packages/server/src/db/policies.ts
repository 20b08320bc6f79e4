import type { PolicySettings } from '@plimsoll/contract'
import type { Selectable } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

export type PolicyRow = Selectable<Tables['recommendation_policy']>

/** That of the whole cluster first. */
export function listPolicies(db: Db, clusterId: string): Promise<PolicyRow[]> {
  return db
    .selectFrom('recommendation_policy')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .orderBy('namespace')
    .execute()
}

/** Without settings nothing is kept: what is wider holds again. */
export async function writePolicy(
  tx: Db,
  { clusterId, namespace }: { clusterId: string; namespace: string },
  settings: PolicySettings,
  now: Date,
): Promise<void> {
  if (Object.keys(settings).length === 0) {
    await tx
      .deleteFrom('recommendation_policy')
      .where('cluster_id', '=', clusterId)
      .where('namespace', '=', namespace)
      .execute()
    return
  }
  const row = { settings: JSON.stringify(settings), updated_at: now }
  await tx
    .insertInto('recommendation_policy')
    .values({ cluster_id: clusterId, namespace, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['cluster_id', 'namespace'])
        .doUpdateSet((eb) => ({ ...row, revision: eb('recommendation_policy.revision', '+', 1) })),
    )
    .execute()
}
