import { decimal, formatDecimal } from '@plimsoll/engine'
import { customRates, discounted, type NodeRates, type Rate } from '@plimsoll/engine/pricing'
import { findServerlessRates, formatUsd, type PriceBook, type ServerlessQuery } from '@plimsoll/pricebook'
import type { ClassRates } from './price-evidence.ts'
import type { OverrideTerm } from './price-terms.ts'

/** Rates of serverless pods, which have no node price to split. */
export function serverlessRates(book: PriceBook, query: ServerlessQuery, override?: OverrideTerm): ClassRates {
  const found = findServerlessRates(book, query)
  const known = { book: book.version, kind: found.kind, ...(override ? { override: override.id } : {}) }
  const price = { kind: 'unpriced', reason: 'not-in-book' } as const
  if (override?.kind === 'custom_rates') {
    const { cpu, memory } = override
    const own = { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) }
    return { price, rates: customRates({ per: 'month', ...own }), evidence: { ...known, kind: 'custom' } }
  }
  if (found.kind === 'unpriced') {
    const rates: NodeRates = { cpu: price, memory: price, gpu: price }
    return { price, rates, evidence: { ...known, why: found.why, note: found.note } }
  }
  const percent = override?.kind === 'discount' ? override.percent : 0n
  const estimated = found.kind === 'estimated'
  const perHour = (nanoUsd: number) => discounted(decimal(formatUsd(nanoUsd)), percent)
  const rates = customRates({
    per: 'hour',
    cpu: perHour(found.nanoUsdPerVcpuHour),
    memory: perHour(found.nanoUsdPerGibHour),
  })
  const withFlag = (rate: Rate): Rate => (rate.kind === 'priced' ? { ...rate, estimated } : rate)
  const estimate = found.kind === 'estimated' ? { why: found.why, note: found.note } : {}
  const discount = percent === 0n ? {} : { discount_percent: formatDecimal(percent) }
  return {
    price,
    rates: { cpu: withFlag(rates.cpu), memory: withFlag(rates.memory), gpu: withFlag(rates.gpu) },
    evidence: { ...known, source: found.source, as_of: found.asOf, ...estimate, ...discount },
  }
}
