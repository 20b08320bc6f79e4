import { sql, type Selectable } from 'kysely'
import pg from 'pg'
import type { Db } from './database.ts'
import { deleteAnswersAbout } from './idempotency.ts'
import type { Tables } from './tables.ts'
import { lockPeople } from './users.ts'

const uniqueViolation = '23505'

export type ClusterRow = Selectable<Tables['cluster']> &
  Omit<Selectable<Tables['cluster_state']>, 'cluster_id' | 'sync_requested_at' | 'foreign_uid' | 'foreign_uid_at'>

/** The state row is made with the cluster, so an inner join finds every cluster and can be pushed down to its shard. */
const selectClusters = (db: Db) =>
  db
    .selectFrom('cluster')
    .innerJoin('cluster_state', 'cluster_state.cluster_id', 'cluster.cluster_id')
    .selectAll('cluster')
    .select(['agent_version', 'agent_last_seen_at', 'last_sync_at', 'node_count', 'pod_count', 'conditions'])
    // Rounded here, where it still is a decimal: a half would be lost or not, by chance, in a binary fraction.
    .select(sql<string>`round(monthly_cost, 6)`.as('monthly_cost'))

export function findCluster(db: Db, clusterId: string): Promise<ClusterRow | undefined> {
  return selectClusters(db).where('cluster.cluster_id', '=', clusterId).executeTakeFirst()
}

export async function clusterExists(db: Db, clusterId: string): Promise<boolean> {
  return (
    (await db.selectFrom('cluster').select('cluster_id').where('cluster_id', '=', clusterId).executeTakeFirst()) !==
    undefined
  )
}

/** In the order of their birth. */
export async function listClusterIds(db: Db, visible: readonly string[] | null): Promise<string[]> {
  let query = db.selectFrom('cluster').select('cluster_id').orderBy('cluster_id')
  if (visible !== null) query = query.where('cluster_id', '=', sql<string>`any(${visible})`)
  return (await query.execute()).map(({ cluster_id: id }) => id)
}

export type ClusterSort = 'name' | '-name' | 'created_at' | '-created_at'

export type ClusterPage = {
  sort: ClusterSort
  /** The clusters a role is narrowed to. */
  visible: readonly string[] | null
  after: string | undefined
  limit: number
}

/** Names are unique and ids sort by time of birth, so either is a whole sort key. */
export function listClusters(db: Db, { sort, visible, after, limit }: ClusterPage): Promise<ClusterRow[]> {
  const column = sort.endsWith('name') ? 'cluster.name' : 'cluster.cluster_id'
  const descending = sort.startsWith('-')
  let query = selectClusters(db)
    .orderBy(column, descending ? 'desc' : 'asc')
    .limit(limit)
  if (after !== undefined) query = query.where(column, descending ? '<' : '>', after)
  if (visible !== null) query = query.where('cluster.cluster_id', '=', sql<string>`any(${visible})`)
  return query.execute()
}

export const sortKeyOf = (sort: ClusterSort, row: ClusterRow) => (sort.endsWith('name') ? row.name : row.cluster_id)

export type NewCluster = { clusterId: string; name: string; provider: string; region: string; now: Date }

/** False when another cluster has the name. */
export async function insertCluster(tx: Db, { clusterId, name, provider, region, now }: NewCluster): Promise<boolean> {
  const made = await tx
    .insertInto('cluster')
    .values({ cluster_id: clusterId, name, provider, region, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('cluster_id')
    .executeTakeFirst()
  if (!made) return false
  await tx.insertInto('cluster_state').values({ cluster_id: clusterId }).execute()
  return true
}

/** Undefined when it is gone. */
export function lockCluster(tx: Db, clusterId: string): Promise<{ name: string; revision: number } | undefined> {
  return tx
    .selectFrom('cluster')
    .select(['name', 'revision'])
    .where('cluster_id', '=', clusterId)
    .forUpdate()
    .executeTakeFirst()
}

/** False when another cluster has the name; the transaction can then only be rolled back. */
export async function updateCluster(
  tx: Db,
  clusterId: string,
  set: { name: string; region?: string },
  now: Date,
): Promise<boolean> {
  try {
    await tx
      .updateTable('cluster')
      .set((eb) => ({ ...set, revision: eb('revision', '+', 1), updated_at: now }))
      .where('cluster_id', '=', clusterId)
      .execute()
    return true
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === uniqueViolation) return false
    throw error
  }
}

/**
 * Takes the cluster out of every list and revokes its tokens. What its agents reported goes in chunks afterwards
 * (jobs/purge-cluster.ts); nothing shows it from here on.
 */
export async function deleteCluster(tx: Db, clusterId: string, now: Date): Promise<void> {
  // Roles name clusters: one that is being written now must not come to name this one.
  await lockPeople(tx)
  await sql`
    insert into cluster_tombstone (token_id, cluster_id, deleted_at)
    select token_id, cluster_id, ${now} from agent_token where cluster_id = ${clusterId}`.execute(tx)
  await sql`update role set clusters = array_remove(clusters, ${clusterId}) where ${clusterId} = any(clusters)`.execute(
    tx,
  )
  await deleteAnswersAbout(tx, clusterId)
  await tx.deleteFrom('rate_limit').where('bucket', '=', `agent:${clusterId}`).execute()
  await tx.deleteFrom('cluster').where('cluster_id', '=', clusterId).execute()
  await sql`
    delete from last_use
    where subject_id in (select token_id from cluster_tombstone where cluster_id = ${clusterId})`.execute(tx)
}

export async function listMissingClusters(db: Db, clusterIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${clusterIds}::text[]) as id
    where not exists (select from cluster where cluster_id = id)`.execute(db)
  return rows.map(({ id }) => id)
}
