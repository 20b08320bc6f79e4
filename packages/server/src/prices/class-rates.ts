import { decimal, nodeRates, type Decimal, type NodePrice, type NodeRates, type ReferenceRates } from '@plimsoll/engine'
import {
  findGpuRate,
  findNodePrice,
  findReferenceRates,
  formatUsd,
  type HourlyPrice,
  type NodePrice as BookPrice,
  type PriceBook,
} from '@plimsoll/pricebook'
import type { ClassFacts } from './node-class.ts'

export type ClassRates = { price: NodePrice; rates: NodeRates; evidence: Record<string, unknown> }

/** What a class of nodes costs by this book, cut into rates, with what is needed to trace it. */
export function classRates(book: PriceBook, { query, capacity }: ClassFacts): ClassRates {
  const found = findNodePrice(book, query)
  const reference = referenceRates(book, query)
  const listed = usdOf(found)
  const { price, rates } = nodeRates(
    {
      capacity,
      capacityType: query.capacityType,
      os: query.os,
      ...(listed === undefined ? {} : { book: bookPrice(query.capacityType, listed) }),
    },
    reference ?? { cpu: 0n, memory: 0n },
  )
  const estimated = found.kind === 'estimated'
  return { price: marked(price, estimated), rates: markedRates(rates, estimated), evidence: evidenceOf(book, found) }
}

const bookPrice = (capacityType: 'on-demand' | 'spot', usd: Decimal) =>
  capacityType === 'spot' ? { spotUsdPerHour: usd } : { onDemandUsdPerHour: usd }

function usdOf(price: HourlyPrice): Decimal | undefined {
  return price.kind === 'unpriced' ? undefined : decimal(formatUsd(price.nanoUsdPerHour))
}

function referenceRates(book: PriceBook, { provider, region, gpu }: ClassFacts['query']): ReferenceRates | undefined {
  const rates = findReferenceRates(book, { provider, region, capacityType: 'on-demand' })
  if (!rates) return undefined
  const gpuRate = gpu ? findGpuRate(book, { provider, region, gpuType: gpu.type }) : undefined
  return {
    cpu: decimal(formatUsd(rates.nanoUsdPerVcpuHour)),
    memory: decimal(formatUsd(rates.nanoUsdPerGibHour)),
    ...(gpuRate ? { gpu: decimal(formatUsd(gpuRate.nanoUsdPerHour)) } : {}),
  }
}

function marked(price: NodePrice, estimated: boolean): NodePrice {
  return price.kind === 'priced' && estimated ? { ...price, estimated } : price
}

function markedRates(rates: NodeRates, estimated: boolean): NodeRates {
  if (!estimated) return rates
  const mark = (rate: NodeRates['cpu']) => (rate.kind === 'priced' ? { ...rate, estimated } : rate)
  return { cpu: mark(rates.cpu), memory: mark(rates.memory), gpu: mark(rates.gpu) }
}

/** Enough to find the row again: which book, which source, of when, and why it is an estimate. */
function evidenceOf(book: PriceBook, found: BookPrice): Record<string, unknown> {
  if (found.kind === 'unpriced') return { book: book.version, kind: found.kind, why: found.why, note: found.note }
  const { kind, source, asOf } = found
  const estimate = found.kind === 'estimated' ? { why: found.why, note: found.note } : {}
  return { book: book.version, kind, source, as_of: asOf, ...estimate }
}
