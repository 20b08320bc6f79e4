import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type LoadedPriceBook, priceBookMediaType, type PriceBookEntry, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { findPriceBookBytes, listPriceBooks, lockPriceBooks, type PriceBookRow } from '../queries/price-books.ts'
import type { Deps } from '../../platform/deps.ts'
import { change, findReplay } from '../../platform/http/change.ts'
import { judgeInThread, type JudgedPriceBook, type PriceBookFiles } from '../judge-price-book.ts'
import { useBook } from '../price-books.ts'
import { Problem } from '../../platform/http/problem.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

const problemsShownMax = 100

/** Each takes a thread and its memory. */
const judgedAtOnceMax = 4

export const priceBookRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  let judging = 0
  const judge = async (files: PriceBookFiles) => {
    if (judging >= judgedAtOnceMax) throw busy()
    judging += 1
    return judgeInThread(files).finally(() => (judging -= 1))
  }

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    priceBookMediaType,
    { parseAs: 'buffer' },
    async (_request: FastifyRequest, body: Buffer) => body,
  )
  app.addContentTypeParser('*', async () => {
    throw new Problem('unsupported_media_type', `Send the price list file as ${priceBookMediaType}.`)
  })

  handle(app, operations.listPriceBooks, {
    handler: async () => ({ price_books: presentBooks(await listPriceBooks(deps.db)) }),
  })

  handle(app, operations.loadPriceBook, {
    preParsing: demandWholeFleet,
    handler: async (request, reply): Promise<LoadedPriceBook> => {
      const replay = await findReplay<LoadedPriceBook>(deps, request, reply)
      if (replay) return replay
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      // Before the transaction: validation may take seconds, and must not hold a lock or a connection.
      const before = await bookInUse(deps.db)
      const judged = await judge({ bytes, inUse: before.bytes })
      return change(deps, request, reply, async (tx) => {
        const book = accepted(judged)
        await lockPriceBooks(tx)
        await demandInUse(tx, before.version)
        const isNew = await useUnlessKnown(deps, tx, { book, bytes })
        if (isNew) {
          const target = { type: 'price_book' as const, id: book.version }
          await recordChange(deps, tx, request, {
            action: 'price_book.load',
            target,
            detail: { after: before.version },
          })
        }
        return { status: isNew ? 201 : 200, body: await presentLoaded(tx, book) }
      })
    },
  })
}

type AcceptedBook = Extract<JudgedPriceBook, { kind: 'accepted' }>

function accepted(judged: JudgedPriceBook): AcceptedBook {
  if (judged.kind === 'accepted') return judged
  throw new Problem('price_book_refused', judged.message, {
    members: { problems: judged.problems.slice(0, problemsShownMax) },
  })
}

const busy = () =>
  new Problem('service_unavailable', 'Other price lists are being checked. Send this one again in 5 seconds.', {
    headers: { 'retry-after': '5' },
  })

/** The new price list was compared with this one. */
async function demandInUse(tx: Db, version: string): Promise<void> {
  const inUse = (await listPriceBooks(tx)).at(-1)
  if (inUse?.version === version) return
  throw new Problem('precondition_failed', 'Another price list was loaded at the same time. Send this one again.')
}

async function bookInUse(tx: Db): Promise<{ version: string; bytes: Buffer }> {
  const { version } = (await listPriceBooks(tx)).at(-1) ?? { version: '' }
  const bytes = await findPriceBookBytes(tx, version)
  if (!bytes) throw new Error('no price list is loaded')
  return { version, bytes }
}

/** False for an existing price list: loading it again changes nothing. */
async function useUnlessKnown(deps: Deps, tx: Db, file: { book: AcceptedBook; bytes: Buffer }): Promise<boolean> {
  const books = await listPriceBooks(tx)
  if (books.some(({ version }) => version === file.book.version)) return false
  await useBook(tx, file, { origin: 'loaded', now: deps.now(), after: books.at(-1)?.effectiveFrom })
  return true
}

async function presentLoaded(tx: Db, { version, changes }: AcceptedBook): Promise<LoadedPriceBook> {
  const loaded = presentBooks(await listPriceBooks(tx)).find((each) => each.version === version)
  if (!loaded) throw new Error(`the price list ${version} was not stored`)
  return { ...loaded, changes }
}

function presentBooks(rows: readonly PriceBookRow[]): PriceBookEntry[] {
  const inUse = rows.at(-1)
  return rows.toReversed().map((row) => ({
    version: row.version,
    as_of: row.asOf,
    as_of_date: row.asOf,
    origin: row.origin,
    loaded_at: row.loadedAt.toISOString(),
    effective_from: row.effectiveFrom.toISOString(),
    size_bytes: row.sizeBytes,
    in_use: row === inUse,
  }))
}
