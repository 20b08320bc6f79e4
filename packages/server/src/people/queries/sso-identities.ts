import type { Db } from '../../platform/db/database.ts'

type Identity = { issuer: string; subject: string; isEmailVerified: boolean }

type Key = Pick<Identity, 'issuer' | 'subject'>

export async function findUserOfIdentity(tx: Db, { issuer, subject }: Key): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_identity')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

export async function noteVerification(tx: Db, { issuer, subject }: Key, isEmailVerified: boolean): Promise<void> {
  await tx
    .updateTable('sso_identity')
    .set({ is_email_verified: isEmailVerified })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .execute()
}

/** False: the user already has another account at this provider. */
export async function linkIdentity(tx: Db, link: Identity & { userId: string; now: Date }): Promise<boolean> {
  const made = await tx
    .insertInto('sso_identity')
    .values({
      issuer: link.issuer,
      subject: link.subject,
      user_id: link.userId,
      linked_at: link.now,
      is_email_verified: link.isEmailVerified,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'issuer']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}
