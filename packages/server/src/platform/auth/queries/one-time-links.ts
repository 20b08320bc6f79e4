import type { Db } from '../../db/database.ts'

export type NewLink = { linkId: string; userId: string | null; mac: Buffer; expiresAt: Date; now: Date }

/** A user has one open link at a time, and so has the set-up: a newer link ends the older one. */
export async function insertLink(tx: Db, { linkId, userId, mac, expiresAt, now }: NewLink): Promise<void> {
  await (userId === null ? deleteSetUpLinks(tx) : deleteLinksOf(tx, userId))
  await tx
    .insertInto('one_time_link')
    .values({ link_id: linkId, user_id: userId, secret_mac: mac, created_at: now, expires_at: expiresAt })
    .execute()
}

export function findLink(db: Db, linkId: string, now: Date) {
  return db
    .selectFrom('one_time_link')
    .select(['user_id', 'secret_mac'])
    .where('link_id', '=', linkId)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

export async function deleteLinksOf(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('one_time_link').where('user_id', '=', userId).execute()
}

export async function deleteSetUpLinks(tx: Db): Promise<void> {
  await tx.deleteFrom('one_time_link').where('user_id', 'is', null).execute()
}

export async function deleteExpiredLinks(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('one_time_link').where('expires_at', '<=', now).execute()
}
