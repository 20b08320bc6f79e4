import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { embeddedPriceBookUrl } from '../parse/embedded-price-book.ts'
import { parsePriceBook } from '../parse/parse-price-book.ts'
import { compileBook } from './compile-book.ts'
import { compressBook } from './pack-book.ts'

const [tablesDir = fileURLToPath(new URL('../../tables', import.meta.url)), out = fileURLToPath(embeddedPriceBookUrl)] =
  process.argv.slice(2)

const text = compileBook(tablesDir)
const bytes = compressBook(text)
const { version } = parsePriceBook(bytes)
mkdirSync(dirname(out), { recursive: true })
writeFileSync(out, bytes)
console.log(`${version}: ${bytes.length} bytes, ${Buffer.byteLength(text)} before compression`)
