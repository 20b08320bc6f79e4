import type { Permission } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { deleteAnswersAbout } from '../../platform/http/queries/idempotency.ts'

export type ApiKeyRow = {
  key_id: string
  user_id: string
  name: string
  scopes: Permission[] | null
  expires_at: Date | null
  created_at: Date
  last_used_at: Date | null
}

const selectKeys = (db: Db) =>
  db
    .selectFrom('api_key')
    .leftJoin('last_use', 'last_use.subject_id', 'api_key.key_id')
    .select(['key_id', 'user_id', 'name', 'scopes', 'expires_at', 'created_at', 'last_use.at as last_used_at'])

/** Newest first. */
export function listApiKeys(
  db: Db,
  { userId, after, limit }: { userId: string | undefined; after: string | undefined; limit: number },
): Promise<ApiKeyRow[]> {
  let query = selectKeys(db).orderBy('key_id', 'desc').limit(limit)
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (after !== undefined) query = query.where('key_id', '<', after)
  return query.execute()
}

export function findApiKey(db: Db, keyId: string): Promise<ApiKeyRow | undefined> {
  return selectKeys(db).where('key_id', '=', keyId).executeTakeFirst()
}

export async function countLiveApiKeys(tx: Db, userId: string, now: Date): Promise<number> {
  const row = await tx
    .selectFrom('api_key')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertApiKey(
  tx: Db,
  key: Omit<ApiKeyRow, 'last_used_at'> & { secret_mac: Buffer },
): Promise<void> {
  await tx.insertInto('api_key').values(key).execute()
}

export async function deleteApiKeysOf(tx: Db, userId: string): Promise<void> {
  const keys = await tx.selectFrom('api_key').select('key_id').where('user_id', '=', userId).execute()
  for (const { key_id: keyId } of keys) await deleteApiKey(tx, keyId)
}

/** `last_use` is locked last everywhere, so that two transactions never deadlock. */
export async function deleteApiKey(tx: Db, keyId: string): Promise<void> {
  await tx.deleteFrom('api_key').where('key_id', '=', keyId).execute()
  await deleteAnswersAbout(tx, keyId)
  await tx.deleteFrom('last_use').where('subject_id', '=', keyId).execute()
}
