import type { PolicySettings } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type PolicyRow = Selectable<Tables['recommendation_policy']>

/** The policy of the whole cluster first. */
export function listPolicies(db: Db, clusterId: string): Promise<PolicyRow[]> {
  return selectPolicies(db, clusterId).execute()
}

type PolicyPage = {
  /** Null: all clusters. */
  clusterIds: readonly string[] | null
  /** Null: all. The policy of the whole cluster also applies to a part of it. */
  namespaces: readonly string[] | null
  after: { clusterId: string; namespace: string } | undefined
  limit: number
}

/** By cluster, the policy of the whole cluster first. Deleted clusters are omitted while their rows are removed. */
export function pagePolicies(db: Db, { clusterIds, namespaces, after, limit }: PolicyPage): Promise<PolicyRow[]> {
  return db
    .selectFrom('recommendation_policy as p')
    .innerJoin('cluster as c', 'c.cluster_id', 'p.cluster_id')
    .selectAll('p')
    .$if(clusterIds !== null, (query) => query.where('p.cluster_id', '=', sql<string>`any(${clusterIds})`))
    .$if(namespaces !== null, (query) => query.where('p.namespace', 'in', ['', ...(namespaces ?? [])]))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(p.cluster_id, p.namespace) > (${after?.clusterId}, ${after?.namespace})`),
    )
    .orderBy('p.cluster_id')
    .orderBy('p.namespace')
    .limit(limit)
    .execute()
}

export function lockPolicy(tx: Db, clusterId: string, namespace: string): Promise<PolicyRow | undefined> {
  return selectPolicies(tx, clusterId).where('namespace', '=', namespace).forUpdate().executeTakeFirst()
}

const selectPolicies = (db: Db, clusterId: string) =>
  db.selectFrom('recommendation_policy').selectAll().where('cluster_id', '=', clusterId).orderBy('namespace')

/** An empty policy is deleted: the wider policy applies again. Returns the stored policy. */
export async function writePolicy(
  tx: Db,
  { clusterId, namespace }: { clusterId: string; namespace: string },
  settings: PolicySettings,
  now: Date,
): Promise<PolicyRow | undefined> {
  if (Object.keys(settings).length === 0) {
    await tx
      .deleteFrom('recommendation_policy')
      .where('cluster_id', '=', clusterId)
      .where('namespace', '=', namespace)
      .execute()
    return undefined
  }
  const row = { settings: JSON.stringify(settings), updated_at: now }
  return (
    tx
      .insertInto('recommendation_policy')
      .values({ cluster_id: clusterId, namespace, ...row, revision: 1 })
      // Counted on insert: of two concurrent first writes, the later one gets the second revision.
      .onConflict((conflict) =>
        conflict
          .columns(['cluster_id', 'namespace'])
          .doUpdateSet((eb) => ({ ...row, revision: eb('recommendation_policy.revision', '+', 1) })),
      )
      .returningAll()
      .executeTakeFirstOrThrow()
  )
}
