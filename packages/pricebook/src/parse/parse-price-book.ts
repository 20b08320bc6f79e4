import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, brotliDecompressSync } from 'node:zlib'
import { bookFormat, type BookHeader, bookSchemaVersion, bookVersion } from './book-format.ts'
import { parseBody } from './parse-body.ts'
import type { PriceBook } from '../price-book.ts'

/** For an upload: three times the size of the released price list. A test compares the two. */
export const inflatedBytesMax = 6 * 1024 * 1024
/** For a stored book, which an earlier version may have accepted. */
const storedBytesMax = 64 * 1024 * 1024
const problemsShownMax = 20

/** The bytes are not a valid price book. `problems` lists all problems. */
export class PriceBookError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[], options?: ErrorOptions) {
    const more = problems.length > problemsShownMax ? ` (and ${problems.length - problemsShownMax} more)` : ''
    super(`The price list is invalid: ${problems.slice(0, problemsShownMax).join('; ')}${more}`, options)
    this.name = 'PriceBookError'
    this.problems = problems
  }
}

/**
 * Parses a book and validates its size, hash, version and every price. With `after`, the current book, an older book is
 * rejected too. To go back, parse the older book without `after`.
 */
export function parsePriceBook(
  bytes: Uint8Array,
  { after, isStored = false }: { after?: PriceBook | undefined; isStored?: boolean } = {},
): PriceBook {
  const { header, bodyBytes } = readEnvelope(inflate(bytes, isStored ? storedBytesMax : inflatedBytesMax))
  demandHeader(header, bodyBytes, after)
  return bookOf(header, parseJson(bodyBytes, 'the body'))
}

/** Parses a stored book in steps that yield to the event loop, so that the process can answer requests. */
export async function parsePriceBookInTurns(bytes: Uint8Array): Promise<PriceBook> {
  const inflated = await inflateInThread(bytes, { maxOutputLength: storedBytesMax }).catch((cause: unknown) => {
    throw unreadable(cause)
  })
  const { header, bodyBytes } = readEnvelope(inflated)
  demandHeader(header, bodyBytes)
  await nextTurn()
  const body = parseJson(bodyBytes, 'the body')
  await nextTurn()
  return bookOf(header, body)
}

const inflateInThread = promisify(brotliDecompress)
const nextTurn = promisify(setImmediate)

function demandHeader(header: BookHeader, bodyBytes: Buffer, after?: PriceBook): void {
  const problems = checkHeader(header, bodyBytes)
  if (after && header.asOf < after.asOf)
    problems.push(`the date ${header.asOf} is older than the price list in use (${after.asOf})`)
  if (problems.length > 0) throw new PriceBookError(problems)
}

function bookOf(header: BookHeader, value: unknown): PriceBook {
  const problems: string[] = []
  const body = parseBody(value, (problem) => problems.push(problem))
  if (problems.length > 0) throw new PriceBookError(problems)
  const { version, schemaVersion, asOf } = header
  return { version, schemaVersion, asOf, ...body }
}

function readEnvelope(inflated: Buffer): { header: BookHeader; bodyBytes: Buffer } {
  const lineEnd = inflated.indexOf('\n')
  const header = parseJson(inflated.subarray(0, Math.max(0, lineEnd)), 'the header')
  if (!isHeader(header)) throw new PriceBookError(['the header does not name format, schema, version, date and hash'])
  return { header, bodyBytes: inflated.subarray(lineEnd + 1) }
}

function inflate(bytes: Uint8Array, bytesMax: number): Buffer {
  try {
    return brotliDecompressSync(bytes, { maxOutputLength: bytesMax })
  } catch (cause) {
    throw unreadable(cause)
  }
}

const unreadable = (cause: unknown) => new PriceBookError(['the file is not brotli, truncated or too large'], { cause })

function parseJson(bytes: Buffer, what: string): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new PriceBookError([`${what} is not JSON`], { cause })
  }
}

function isHeader(value: unknown): value is BookHeader {
  if (typeof value !== 'object' || value === null) return false
  const { format, schemaVersion, version, asOf, sha256 } = value as Record<string, unknown>
  return (
    [format, version, asOf, sha256].every((field) => typeof field === 'string') && typeof schemaVersion === 'number'
  )
}

function checkHeader(header: BookHeader, bodyBytes: Buffer): string[] {
  const problems: string[] = []
  if (header.format !== bookFormat) problems.push(`the format is '${header.format}', not '${bookFormat}'`)
  if (header.schemaVersion !== bookSchemaVersion) {
    problems.push(`the schema version is ${header.schemaVersion}; this release reads ${bookSchemaVersion}`)
  }
  if (!/^\d{4}-\d{2}-\d{2}$/.test(header.asOf)) problems.push(`the date is '${header.asOf}'`)
  const sha256 = createHash('sha256').update(bodyBytes).digest('hex')
  if (sha256 !== header.sha256) problems.push('the content does not match its hash')
  if (header.version !== bookVersion(header.asOf, header.sha256))
    problems.push('the version does not match the content')
  return problems
}
