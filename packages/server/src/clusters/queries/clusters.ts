import type { ClusterSort } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import pg from 'pg'
import type { Db } from '../../platform/db/database.ts'
import { deleteAnswersAbout } from '../../platform/http/queries/idempotency.ts'
import { prepared } from '../../platform/db/prepared.ts'
import { takeOutOfRoles } from '../../platform/auth/queries/roles.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { lockPeople } from '../../platform/auth/queries/users.ts'

const uniqueViolation = '23505'

export type ClusterRow = Omit<Selectable<Tables['cluster']>, 'kube_system_uid'> &
  Omit<Selectable<Tables['cluster_state']>, 'cluster_id' | 'sync_requested_at' | 'foreign_uid' | 'foreign_uid_at'>

/**
 * The state row is created with the cluster, so an inner join finds every cluster and can be pushed down to its shard.
 * The cost is rounded here as a decimal, because a binary fraction would round a half at random.
 */
const selectClusters = `
    select c.cluster_id, c.name, c.provider, c.region, c.revision, c.created_at, c.updated_at,
           s.agent_version, s.agent_last_seen_at, s.last_sync_at, s.node_count, s.pod_count, s.conditions,
           round(s.monthly_cost, 6) as monthly_cost, s.monthly_compute, s.monthly_storage, s.monthly_load_balancer,
           s.monthly_overhead
    from cluster c join cluster_state s using (cluster_id)`

export async function findCluster(db: Db, clusterId: string): Promise<ClusterRow | undefined> {
  return (await prepared<ClusterRow>(db, 'find-cluster', `${selectClusters} where c.cluster_id = $1`, [clusterId]))[0]
}

export async function clusterExists(db: Db, clusterId: string): Promise<boolean> {
  return (
    (await db.selectFrom('cluster').select('cluster_id').where('cluster_id', '=', clusterId).executeTakeFirst()) !==
    undefined
  )
}

export type ClusterName = { id: string; name: string }

/** In order of creation. */
export async function listVisibleClusters(db: Db, visible: readonly string[] | null): Promise<ClusterName[]> {
  let query = db.selectFrom('cluster').select(['cluster_id as id', 'name']).orderBy('cluster_id')
  if (visible !== null) query = query.where('cluster_id', '=', sql<string>`any(${visible})`)
  return query.execute()
}

export type ClusterPage = {
  sort: ClusterSort
  /** The clusters that a role is restricted to. */
  visible: readonly string[] | null
  after: string | undefined
  limit: number
}

/** Names are unique and ids sort by creation time, so either is a complete sort key. */
export function listClusters(db: Db, { sort, visible, after, limit }: ClusterPage): Promise<ClusterRow[]> {
  const column = sort.endsWith('name') ? 'c.name' : 'c.cluster_id'
  const [order, beyond] = sort.startsWith('-') ? ['desc', '<'] : ['asc', '>']
  const values: unknown[] = [limit]
  const conditions = [
    ...(after === undefined ? [] : [`${column} ${beyond} $${values.push(after)}`]),
    ...(visible === null ? [] : [`c.cluster_id = any($${values.push(visible)})`]),
  ]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const name = `list-clusters ${sort} ${after === undefined ? '' : 'from'} ${visible === null ? '' : 'among'}`
  return prepared(db, name, `${selectClusters} ${where} order by ${column} ${order} limit $1`, values)
}

const clustersAtOnce = 1000

/** By name. A total without some clusters would look complete. */
export async function listAllClusters(db: Db, visible: readonly string[] | null): Promise<ClusterRow[]> {
  const rows: ClusterRow[] = []
  for (;;) {
    const after = rows.at(-1)?.name
    const some = await listClusters(db, { sort: 'name', visible, after, limit: clustersAtOnce })
    rows.push(...some)
    if (some.length < clustersAtOnce) return rows
  }
}

export const sortKeyOf = (sort: ClusterSort, row: ClusterRow) => (sort.endsWith('name') ? row.name : row.cluster_id)

export type NewCluster = { clusterId: string; name: string; provider: string; region: string; now: Date }

/** False if another cluster has the name. */
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

/** Undefined if it is deleted. */
export function lockCluster(tx: Db, clusterId: string) {
  return tx
    .selectFrom('cluster')
    .select(['name', 'provider', 'region', 'revision'])
    .where('cluster_id', '=', clusterId)
    .forUpdate()
    .executeTakeFirst()
}

/** False if another cluster has the name; the transaction must then be rolled back. */
export async function updateCluster(
  tx: Db,
  clusterId: string,
  set: { name: string; provider: string; region: string },
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
 * Removes the cluster from every list and revokes its tokens. The job purge-cluster.ts deletes its data in chunks
 * afterwards; no answer shows the data from here on. Returns the roles that were restricted to it.
 */
export async function deleteCluster(tx: Db, clusterId: string, now: Date): Promise<string[]> {
  // Roles refer to clusters: a concurrent write of a role must not add this one.
  await lockPeople(tx)
  await tx.insertInto('cluster_tombstone').values({ cluster_id: clusterId, deleted_at: now, purged_at: null }).execute()
  await sql`
    insert into deleted_agent_token (token_id, cluster_id, secret_mac)
    select token_id, cluster_id, secret_mac from agent_token where cluster_id = ${clusterId}`.execute(tx)
  const roles = await takeOutOfRoles(tx, clusterId, now)
  await deleteAnswersAbout(tx, clusterId)
  await tx.deleteFrom('rate_limit').where('bucket', '=', `agent:${clusterId}`).execute()
  await tx.deleteFrom('cluster').where('cluster_id', '=', clusterId).execute()
  await sql`
    delete from last_use
    where subject_id in (select token_id from deleted_agent_token where cluster_id = ${clusterId})`.execute(tx)
  return roles
}

export async function listUnpurgedClusters(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('cluster_tombstone')
    .select('cluster_id')
    .where('purged_at', 'is', null)
    .orderBy('deleted_at')
    .execute()
  return rows.map(({ cluster_id: id }) => id)
}

export async function notePurged(db: Db, clusterId: string, now: Date): Promise<void> {
  await db.updateTable('cluster_tombstone').set({ purged_at: now }).where('cluster_id', '=', clusterId).execute()
}

export async function listMissingClusters(db: Db, clusterIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${clusterIds}::text[]) as id
    where not exists (select from cluster where cluster_id = id)`.execute(db)
  return rows.map(({ id }) => id)
}

export type ClusterPlace = { name: string; provider: string; region: string }

/** Name, provider and region of clusters, by id. */
export async function listClusterPlaces(db: Db, clusterIds: readonly string[]): Promise<Map<string, ClusterPlace>> {
  const rows = await db
    .selectFrom('cluster')
    .select(['cluster_id', 'name', 'provider', 'region'])
    .where('cluster_id', '=', sql<string>`any(${clusterIds})`)
    .execute()
  return new Map(rows.map(({ cluster_id: id, ...place }) => [id, place]))
}
