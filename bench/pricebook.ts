// Size, loading and lookups of the embedded price book. Run with `npm run bench:pricebook`.
import { embeddedPriceBookUrl } from '../packages/pricebook/src/parse/embedded-price-book.ts'
import { statSync } from 'node:fs'
import { findNodePrice, findStoragePrice, listNodeTypes, type PriceBook } from '../packages/pricebook/src/index.ts'
import { loadPriceBook } from '../packages/pricebook/test/index.ts'

const lookups = 200_000

function timeMs(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

function perSecond(count: number, work: (at: number) => unknown): string {
  for (let at = 0; at < count / 10; at++) work(at)
  const ms = timeMs(() => {
    for (let at = 0; at < count; at++) work(at)
  })
  return `${Math.round((count / ms) * 1000).toLocaleString('en')}/s, ${((ms / count) * 1000).toFixed(2)} µs each`
}

function memoryMiB(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1024 / 1024
}

const emptyMiB = memoryMiB()
const firstMs = timeMs(() => loadPriceBook())
const laterMs = Array.from({ length: 10 }, () => timeMs(() => loadPriceBook())).sort((a, b) => a - b)
const book: PriceBook = loadPriceBook()
const loadedMiB = memoryMiB()

const types = listNodeTypes(book, { provider: 'aws', region: 'us-east-1' }).map((type) => type.instanceType)
const query = { provider: 'aws', region: 'us-east-1', capacityType: 'on-demand', os: 'linux' } as const
const typeAt = (at: number) => types[at % types.length] ?? ''

console.log(`book        ${book.version}, ${statSync(embeddedPriceBookUrl).size.toLocaleString('en')} bytes`)
console.log(
  `load        ${firstMs.toFixed(0)} ms first, ${laterMs[5]?.toFixed(0)} ms median, ${laterMs[0]?.toFixed(0)} ms best`,
)
console.log(
  `memory      ${(loadedMiB - emptyMiB).toFixed(1)} MiB${globalThis.gc ? '' : ' (with garbage; run node with --expose-gc)'}`,
)
console.log(`listed      ${perSecond(lookups, (at) => findNodePrice(book, { ...query, instanceType: typeAt(at) }))}`)
console.log(
  `estimated   ${perSecond(lookups / 10, (at) =>
    findNodePrice(book, { ...query, instanceType: `x${at}`, capacity: { vcpu: 4, memoryGib: 16 } }),
  )}`,
)
console.log(
  `storage     ${perSecond(lookups / 10, (at) =>
    findStoragePrice(book, {
      provider: 'azure',
      region: 'eastus',
      storageClass: 'Premium_LRS',
      sizeGib: 1 + (at % 4096),
    }),
  )}`,
)
