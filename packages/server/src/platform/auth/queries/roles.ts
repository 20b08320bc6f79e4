import { builtInRoles, type Permission } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import { deleteAnswersAbout } from '../../http/queries/idempotency.ts'
import type { Tables } from '../../db/tables.ts'

export type RoleRow = Selectable<Tables['role']>

export function findRole(db: Db, name: string): Promise<RoleRow | undefined> {
  return db.selectFrom('role').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Built-in roles first, then by name; `after` is the last role of the previous page. */
export function listRoles(
  db: Db,
  { after, limit }: { after: Pick<RoleRow, 'built_in' | 'name'> | undefined; limit: number },
): Promise<RoleRow[]> {
  const query = db.selectFrom('role').selectAll().orderBy('built_in', 'desc').orderBy('name').limit(limit)
  if (after === undefined) return query.execute()
  return query.where(sql<boolean>`(not built_in, name) > (${!after.built_in}, ${after.name})`).execute()
}

export type RoleGrant = {
  permissions: Permission[]
  clusters: string[] | null
  namespaces: string[] | null
  teams: string[] | null
}

/** False if another role has the name. */
export async function insertRole(tx: Db, name: string, grant: RoleGrant, now: Date): Promise<boolean> {
  const made = await tx
    .insertInto('role')
    .values({ name, built_in: false, ...grant, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return made !== undefined
}

export async function updateRole(tx: Db, name: string, grant: RoleGrant, now: Date): Promise<void> {
  await tx
    .updateTable('role')
    .set((eb) => ({ ...grant, revision: eb('revision', '+', 1), updated_at: now }))
    .where('name', '=', name)
    .execute()
}

/**
 * Returns their names. A role without remaining clusters has an empty list, which means none, and not null, which means
 * all.
 */
export async function takeOutOfRoles(tx: Db, clusterId: string, now: Date): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    update role set clusters = array_remove(clusters, ${clusterId}), revision = revision + 1, updated_at = ${now}
    where ${clusterId} = any(clusters)
    returning name`.execute(tx)
  return rows.map(({ name }) => name).sort()
}

export async function deleteRole(tx: Db, name: string): Promise<void> {
  await deleteAnswersAbout(tx, name)
  await tx.deleteFrom('role').where('name', '=', name).execute()
}

export function listRoleHolders(db: Db, name: string, limit: number) {
  return db
    .selectFrom('app_user')
    .select(['user_id as id', 'email'])
    .where('role', '=', name)
    .orderBy('email')
    .limit(limit)
    .execute()
}

/** A new version may add permissions: the built-in roles always match the contract. */
export async function writeBuiltInRoles(db: Db, now: Date): Promise<void> {
  for (const [name, permissions] of Object.entries(builtInRoles)) {
    const row = { permissions: [...permissions], built_in: true, clusters: null, namespaces: null, teams: null }
    await db
      .insertInto('role')
      .values({ name, ...row, created_at: now, updated_at: now })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
  }
}
