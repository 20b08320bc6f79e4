import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'

export type StoredAnswer = { fingerprint: Buffer; status: number; headers: Record<string, string>; body: unknown }

const lifeHours = 24

/** Held until the transaction ends; false while another request with this key is running. */
export async function tryLockIdempotencyKey(tx: Db, caller: string, key: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency ${caller} ${key}`}, 0)) as locked`.execute(tx)
  return rows[0]?.locked === true
}

export function findAnswer(db: Db, caller: string, key: string, now: Date): Promise<StoredAnswer | undefined> {
  return db
    .selectFrom('idempotent_answer')
    .select(['fingerprint', 'status', 'headers', 'body'])
    .where('caller', '=', caller)
    .where('idempotency_key', '=', key)
    .where('created_at', '>', oldest(now))
    .executeTakeFirst()
}

export async function insertAnswer(
  tx: Db,
  answer: StoredAnswer & { caller: string; key: string; resourceId: string | null; now: Date },
): Promise<void> {
  const { caller, key, resourceId, now, fingerprint, status } = answer
  const row = {
    fingerprint,
    status,
    headers: JSON.stringify(answer.headers),
    body: JSON.stringify(answer.body),
    resource_id: resourceId,
    created_at: now,
  }
  await tx
    .insertInto('idempotent_answer')
    .values({ caller, idempotency_key: key, ...row })
    .onConflict((conflict) => conflict.columns(['caller', 'idempotency_key']).doUpdateSet(row))
    .execute()
}

export async function deleteAnswersAbout(tx: Db, resourceId: string): Promise<void> {
  await tx.deleteFrom('idempotent_answer').where('resource_id', '=', resourceId).execute()
}

export async function deleteOldAnswers(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('idempotent_answer').where('created_at', '<=', oldest(now)).execute()
}

const oldest = (now: Date) => new Date(now.getTime() - lifeHours * 3_600_000)
