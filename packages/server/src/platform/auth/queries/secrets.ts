import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Tables } from '../../db/tables.ts'

export type SecretRow = Selectable<Tables['server_secret']>

/** Newest first. */
export function listSecrets(db: Db): Promise<SecretRow[]> {
  return db.selectFrom('server_secret').selectAll().orderBy('created_at', 'desc').orderBy('secret_id', 'desc').execute()
}

/** Newest first: ids sort by creation time. Without key material. */
export function listSigningKeys(db: Db, { after, limit }: { after: string | undefined; limit: number }) {
  const query = db
    .selectFrom('server_secret')
    .select(['secret_id as kid', 'created_at', 'retires_at'])
    .where('purpose', '=', 'jwt')
    .orderBy('secret_id', 'desc')
    .limit(limit)
  return (after === undefined ? query : query.where('secret_id', '<', after)).execute()
}

/** Concurrent starts or rotations of replicas are serialized: the second finds the result of the first. */
export async function lockSecrets(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plimsoll secrets', 0))`.execute(tx)
}

export async function insertSecret(tx: Db, row: SecretRow): Promise<void> {
  await tx.insertInto('server_secret').values(row).execute()
}

/** Unless another replica has replaced it meanwhile. */
export async function replaceSecret(db: Db, before: SecretRow, sealedMaterial: Buffer): Promise<void> {
  await db
    .updateTable('server_secret')
    .set({ material: sealedMaterial, sealed: true })
    .where('secret_id', '=', before.secret_id)
    .where('material', '=', before.material)
    .execute()
}

/** Keys that are already retiring keep their time unless the new one is earlier. */
export async function retireSigningKeys(db: Db, at: Date): Promise<void> {
  await db
    .updateTable('server_secret')
    .set({ retires_at: at })
    .where('purpose', '=', 'jwt')
    .where((eb) => eb.or([eb('retires_at', 'is', null), eb('retires_at', '>', at)]))
    .execute()
}

export async function deleteRetiredSigningKeys(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('server_secret').where('purpose', '=', 'jwt').where('retires_at', '<=', now).execute()
}
