import { sql } from 'kysely'
import type { BookTerm } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'

export type PriceBookRow = BookTerm & { origin: 'release' | 'loaded'; loadedAt: Date; sizeBytes: number }

/** In the order of activation; the last one is active. */
export async function listPriceBooks(db: Db): Promise<PriceBookRow[]> {
  const { rows } = await sql<PriceBookRow>`
    select version, as_of::text as "asOf", origin, loaded_at as "loadedAt", effective_from as "effectiveFrom",
      length(bytes) as "sizeBytes"
    from price_book order by effective_from, loaded_at, version`.execute(db)
  return rows
}

/** Held until the transaction ends: concurrent price lists are validated one after the other. */
export async function lockPriceBooks(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plimsoll price books', 0))`.execute(tx)
}

export async function findPriceBookBytes(db: Db, version: string): Promise<Buffer | undefined> {
  const row = await db.selectFrom('price_book').select('bytes').where('version', '=', version).executeTakeFirst()
  return row?.bytes
}

export async function insertPriceBook(
  tx: Db,
  { version, asOf, origin, loadedAt, effectiveFrom }: Omit<PriceBookRow, 'sizeBytes'>,
  bytes: Buffer,
): Promise<void> {
  const row = { version, as_of: asOf, origin, loaded_at: loadedAt, effective_from: effectiveFrom, bytes }
  await tx.insertInto('price_book').values(row).execute()
}
