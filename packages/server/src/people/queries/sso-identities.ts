import type { Db } from '../../platform/db/database.ts'

type Identity = { issuer: string; subject: string }

export async function findUserOfIdentity(tx: Db, { issuer, subject }: Identity): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_identity')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

/** False: the user already has another account at this provider. */
export async function linkIdentity(tx: Db, link: Identity & { userId: string; now: Date }): Promise<boolean> {
  const made = await tx
    .insertInto('sso_identity')
    .values({ issuer: link.issuer, subject: link.subject, user_id: link.userId, linked_at: link.now })
    .onConflict((conflict) => conflict.columns(['user_id', 'issuer']).doNothing())
    .returning('user_id')
    .executeTakeFirst()
  return made !== undefined
}
