import { sessionDaysMax } from '@plimsoll/contract'
import type { Db } from '../../db/database.ts'

export type NewSession = {
  sessionId: string
  userId: string
  expiresAt: Date
  address: string
  userAgent: string | null
  /** Opened by the identity provider; default: by a password. */
  isSso?: boolean
  now: Date
}

export async function insertSession(tx: Db, session: NewSession): Promise<void> {
  const { sessionId, userId, expiresAt, address, userAgent, isSso = false, now } = session
  await tx
    .insertInto('session')
    .values({
      session_id: sessionId,
      user_id: userId,
      created_at: now,
      expires_at: expiresAt,
      address,
      user_agent: userAgent,
      is_sso: isSso,
    })
    .execute()
}

/**
 * Renewing a token must not extend a session without limit: a stolen session would never end. A session of the identity
 * provider is not extended at all: the next sign-in reads the groups of the user again.
 */
export async function findSessionEnd(db: Db, sessionId: string): Promise<Date> {
  const row = await db
    .selectFrom('session')
    .select(['created_at', 'is_sso'])
    .where('session_id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return new Date(row.created_at.getTime() + (row.is_sso ? 1 : sessionDaysMax) * 86_400_000)
}

export async function extendSession(db: Db, sessionId: string, expiresAt: Date): Promise<void> {
  await db.updateTable('session').set({ expires_at: expiresAt }).where('session_id', '=', sessionId).execute()
}

export type SessionRow = {
  session_id: string
  created_at: Date
  expires_at: Date
  address: string | null
  user_agent: string | null
  is_sso: boolean
}

/** Newest first. */
export function listSessions(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('session')
    .select(['session_id', 'created_at', 'expires_at', 'address', 'user_agent', 'is_sso'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('session_id', 'desc')
    .limit(200)
    .execute()
}

export async function deleteSession(tx: Db, sessionId: string): Promise<void> {
  await tx.deleteFrom('session').where('session_id', '=', sessionId).execute()
}

/** False: the user has no such session. */
export async function deleteSessionOf(tx: Db, userId: string, sessionId: string): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('session')
    .where('session_id', '=', sessionId)
    .where('user_id', '=', userId)
    .returning('session_id')
    .executeTakeFirst()
  return deleted !== undefined
}

export async function deleteSessionsOf(tx: Db, userId: string, { except }: { except?: string } = {}): Promise<void> {
  const query = tx.deleteFrom('session').where('user_id', '=', userId)
  await (except === undefined ? query : query.where('session_id', '!=', except)).execute()
}

/** Sessions that a password opened, except those of one user. */
export async function deletePasswordSessions(db: Db, exceptEmail: string): Promise<void> {
  await db
    .deleteFrom('session')
    .using('app_user')
    .whereRef('app_user.user_id', '=', 'session.user_id')
    .where('session.is_sso', '=', false)
    .where('app_user.email', '!=', exceptEmail)
    .execute()
}

export async function deleteAllSessions(tx: Db): Promise<void> {
  await tx.deleteFrom('session').execute()
}

export async function deleteExpiredSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
}

export async function recordLogin(tx: Db, userId: string, now: Date): Promise<void> {
  await tx
    .insertInto('last_use')
    .values({ subject_id: userId, at: now })
    .onConflict((conflict) => conflict.column('subject_id').doUpdateSet({ at: now }))
    .execute()
}
