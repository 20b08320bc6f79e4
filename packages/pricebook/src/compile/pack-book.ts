import { createHash } from 'node:crypto'
import { brotliCompressSync, constants } from 'node:zlib'
import { bookFormat, type BookHeader, bookSchemaVersion, bookVersion } from '../parse/book-format.ts'

/** The header line, and the body. */
export function bookText(body: string, asOf: string): string {
  const sha256 = createHash('sha256').update(body).digest('hex')
  const version = bookVersion(asOf, sha256)
  const header: BookHeader = { format: bookFormat, schemaVersion: bookSchemaVersion, version, asOf, sha256 }
  return `${JSON.stringify(header)}\n${body}`
}

/** Full quality takes some seconds; tests can use a lower quality. */
export function compressBook(text: string, quality: number = constants.BROTLI_MAX_QUALITY): Buffer {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  })
}
