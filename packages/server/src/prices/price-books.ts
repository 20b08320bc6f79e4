import { parsePriceBookInTurns, type PriceBook } from '@plimsoll/pricebook'
import type { PriceBookSource } from '../platform/background.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { findPriceBookBytes, insertPriceBook, listPriceBooks, lockPriceBooks } from './queries/price-books.ts'
import { noteRepricing } from './queries/repricing.ts'
import { startOfHour } from '@plimsoll/pipeline/prices'

export type BookFile = { book: PriceBook; bytes: Buffer }

type NamedBookFile = { book: Pick<PriceBook, 'version' | 'asOf'>; bytes: Buffer }

const booksKept = 3

/**
 * The price lists by version, read on demand. The database is asked each time for the active one, so all replicas
 * switch at once.
 */
export class PriceBooks implements PriceBookSource {
  readonly #books = new Map<string, PriceBook>()

  constructor(known: readonly PriceBook[] = []) {
    for (const book of known) this.#keep(book)
  }

  async load(db: Db, version: string): Promise<PriceBook> {
    const known = this.#books.get(version)
    if (known) return this.#keep(known)
    const bytes = await findPriceBookBytes(db, version)
    if (!bytes) throw new Error(`price list ${version} does not exist`)
    return this.#keep(await parsePriceBookInTurns(bytes))
  }

  /** The price list for new nodes. */
  async current(db: Db): Promise<PriceBook> {
    const inUse = (await listPriceBooks(db)).at(-1)
    if (!inUse) throw new Error('no price list is loaded')
    return this.load(db, inUse.version)
  }

  /** Late data may need an older price list; caching all of them would take too much memory. */
  #keep(book: PriceBook): PriceBook {
    this.#books.delete(book.version)
    this.#books.set(book.version, book)
    for (const version of this.#books.keys()) if (this.#books.size > booksKept) this.#books.delete(version)
    return book
  }
}

/** Activates the price list of this release unless a newer one is active; the first one applies to all time. */
export async function openPriceBooks(db: Db, { book, bytes }: BookFile, now: Date): Promise<PriceBooks> {
  await db.transaction().execute(async (tx) => {
    await lockPriceBooks(tx)
    const books = await listPriceBooks(tx)
    const inUse = books.at(-1)
    const isKnown = books.some(({ version }) => version === book.version)
    if (isKnown || (inUse && book.asOf < inUse.asOf)) return
    await useBook(tx, { book, bytes }, { origin: 'release', now, after: inUse?.effectiveFrom })
  })
  return new PriceBooks([book])
}

/** From this hour on; stored hours are repriced. */
export async function useBook(
  tx: Db,
  { book, bytes }: NamedBookFile,
  { origin, now, after }: { origin: 'release' | 'loaded'; now: Date; after: Date | undefined },
): Promise<void> {
  const hour = startOfHour(now)
  const effectiveFrom = after === undefined ? new Date(0) : after > hour ? after : hour
  await insertPriceBook(tx, { version: book.version, asOf: book.asOf, origin, loadedAt: now, effectiveFrom }, bytes)
  if (after === undefined) return
  await noteRepricing(tx, null, effectiveFrom)
  await enqueue(tx, 'reprice', {})
}
