import type { Db } from '../../platform/db/database.ts'

export async function findSentMonth(db: Db): Promise<string> {
  const row = await db.selectFrom('statement_sending').select('sent_month').executeTakeFirstOrThrow()
  return row.sent_month
}

/** One server at a time sends statements. */
export async function lockSentMonth(tx: Db): Promise<string> {
  const row = await tx.selectFrom('statement_sending').select('sent_month').forUpdate().executeTakeFirstOrThrow()
  return row.sent_month
}

export async function writeSentMonth(tx: Db, month: string): Promise<void> {
  await tx.updateTable('statement_sending').set({ sent_month: month }).execute()
}
