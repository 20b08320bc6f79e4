import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { deleteAnswersAbout } from '../../http/queries/idempotency.ts'

export type UserRow = {
  user_id: string
  email: string
  role: string
  teams: string[] | null
  disabled: boolean
  invited: boolean
  /** Null: no account of an identity provider. */
  is_email_verified: boolean | null
  revision: number
  created_at: Date
  updated_at: Date
  last_login_at: Date | null
}

const selectUsers = (db: Db) =>
  db
    .selectFrom('app_user')
    .leftJoin('last_use', (join) => join.on('last_use.subject_id', '=', sql<string>`app_user.user_id::text`))
    .select([
      'user_id',
      'email',
      'role',
      'teams',
      'disabled',
      'revision',
      'created_at',
      'updated_at',
      'last_use.at as last_login_at',
    ])
    .select(
      sql<boolean>`password_hash is null
        and not exists (select from sso_identity where sso_identity.user_id = app_user.user_id)`.as('invited'),
    )
    .select(
      sql<
        boolean | null
      >`(select bool_or(is_email_verified) from sso_identity i where i.user_id = app_user.user_id)`.as(
        'is_email_verified',
      ),
    )

export function findUser(db: Db, userId: string): Promise<UserRow | undefined> {
  return selectUsers(db).where('user_id', '=', userId).executeTakeFirst()
}

export function listUsers(db: Db, { after, limit }: { after: string | undefined; limit: number }): Promise<UserRow[]> {
  const query = selectUsers(db).orderBy('email').limit(limit)
  return (after === undefined ? query : query.where('email', '>', after)).execute()
}

/** The fields that sign-in needs. */
export function findLogin(db: Db, email: string) {
  return db
    .selectFrom('app_user')
    .select(['user_id', 'email', 'role', 'password_hash', 'disabled'])
    .where('email', '=', email)
    .executeTakeFirst()
}

/** Whether the checked password is still valid and the user may still sign in; locked until the transaction ends. */
export async function lockLogin(tx: Db, userId: string, passwordHash: string): Promise<boolean> {
  const row = await tx
    .selectFrom('app_user')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .where('disabled', '=', false)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

export type NewUser = { userId: string; email: string; role: string; passwordHash: string | null; now: Date }

/** False if another user has the address. */
export async function insertUser(tx: Db, { userId, email, role, passwordHash, now }: NewUser): Promise<boolean> {
  const made = await tx
    .insertInto('app_user')
    .values({ user_id: userId, email, role, password_hash: passwordHash, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}

export type UserChange = { role?: string; teams?: string[] | null; disabled?: boolean; password_hash?: string | null }

export async function updateUser(tx: Db, userId: string, set: UserChange, now: Date): Promise<void> {
  await tx
    .updateTable('app_user')
    .set((eb) => ({ ...set, revision: eb('revision', '+', 1), updated_at: now }))
    .where('user_id', '=', userId)
    .execute()
}

/** Foreign keys delete sessions, keys and links. A sign-in also locks the user first and then writes `last_use`. */
export async function deleteUser(tx: Db, userId: string): Promise<void> {
  const keys = await tx.selectFrom('api_key').select('key_id').where('user_id', '=', userId).execute()
  await tx.deleteFrom('app_user').where('user_id', '=', userId).execute()
  await deleteAnswersAbout(tx, userId)
  const subjects = [userId, ...keys.map(({ key_id: keyId }) => keyId)]
  await tx
    .deleteFrom('last_use')
    .where('subject_id', '=', sql<string>`any(${subjects})`)
    .execute()
}

export async function hasUsers(db: Db): Promise<boolean> {
  return (await db.selectFrom('app_user').select('user_id').limit(1).executeTakeFirst()) !== undefined
}

type AdminQuery = { besides: string | null; passwordOnlyFor: string | null }

/** Unlimited admins who can sign in with a password right now, besides one user. */
export async function hasPasswordAdmin(db: Db, { besides, passwordOnlyFor }: AdminQuery): Promise<boolean> {
  let query = db
    .selectFrom('app_user')
    .select('user_id')
    .where('role', '=', 'admin')
    .where('disabled', '=', false)
    .where('password_hash', 'is not', null)
    .where('teams', 'is', null)
    .limit(1)
  if (besides !== null) query = query.where('user_id', '!=', besides)
  if (passwordOnlyFor !== null) query = query.where('email', '=', passwordOnlyFor)
  return (await query.executeTakeFirst()) !== undefined
}

/** Changes to users and roles are serialized, so that two admins cannot remove each other concurrently. */
export async function lockPeople(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plimsoll people', 0))`.execute(tx)
}
