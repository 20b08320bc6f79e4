import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { priceBookFile } from '../src/directories.ts'

type Body = { nodes: { provider: string; onDemand: number[]; spot: number[] }[] }

/** The released price list with all AWS prices times `awsTimes`, under a matching header. */
export function aPriceBook({ awsTimes = 2, asOf = '2026-09-01' }: { awsTimes?: number; asOf?: string } = {}): Buffer {
  const text = brotliDecompressSync(readFileSync(priceBookFile)).toString('utf8')
  const header = JSON.parse(text.slice(0, text.indexOf('\n'))) as object
  const body = JSON.parse(text.slice(text.indexOf('\n') + 1)) as Body
  for (const nodes of body.nodes.filter(({ provider }) => provider === 'aws')) {
    nodes.onDemand = nodes.onDemand.map(times(awsTimes))
    nodes.spot = nodes.spot.map(times(awsTimes))
  }
  const bodyText = JSON.stringify(body)
  const sha256 = createHash('sha256').update(bodyText).digest('hex')
  const named = { ...header, asOf, sha256, version: `${asOf}-${sha256.slice(0, 12)}` }
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  return brotliCompressSync(`${JSON.stringify(named)}\n${bodyText}`, { params })
}

/** A negative number is the repetition count of the previous price. */
const times = (factor: number) => (packed: number) => (packed > 0 ? packed * factor : packed)
