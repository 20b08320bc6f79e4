import {
  decimal,
  formatDecimal,
  KIB_PER_GIB,
  MICROCORES_PER_CORE,
  RESOURCES,
  SECONDS_PER_HOUR,
  type Amounts,
  type Decimal,
} from '@plimsoll/engine'
import {
  customRates,
  nodeRates,
  usdFor,
  type NodePrice,
  type NodeRates,
  type ReferenceRates,
} from '@plimsoll/engine/pricing'
import {
  findGpuRate,
  findNodePrice,
  findReferenceRates,
  formatUsd,
  type HourlyPrice,
  type PriceBook,
} from '@plimsoll/pricebook'
import type { ClassFacts } from './node-class.ts'
import type { ClassRates, PriceEvidence } from './price-evidence.ts'
import type { CustomRatesTerm, OverrideTerm } from './price-terms.ts'
import { serverlessRates } from './serverless-rates.ts'

/** The rates of a node class under this price list and this override, with the evidence to trace them. */
export function classRates(book: PriceBook, facts: ClassFacts, override?: OverrideTerm): ClassRates {
  const { provider, region } = facts.query
  if (facts.serverless) return serverlessRates(book, { provider, region, ...facts.serverless }, override)
  const found = machineRates(book, facts, override)
  const isOwn = override?.kind === 'node_price' || override?.kind === 'custom_rates'
  return facts.surcharge === undefined || isOwn ? found : withoutSurcharge(found)
}

/** A lower bound that is marked as such: no price list has the surcharge, and omitting the node would be worse. */
function withoutSurcharge({ price, rates, evidence }: ClassRates): ClassRates {
  if (price.kind === 'unpriced') return { price, rates, evidence }
  const note =
    'The price excludes the EKS Auto Mode surcharge, which the price list does not contain. Set a price override.'
  return {
    price: withEstimated(price, true),
    rates: ratesWithEstimated(rates, true),
    evidence: { ...evidence, kind: 'estimated', why: 'surcharge-not-in-book', note },
  }
}

function machineRates(book: PriceBook, facts: ClassFacts, override?: OverrideTerm): ClassRates {
  const { query, capacity } = facts
  const found = findNodePrice(book, { ...query, capacity: query.capacity ?? sizeOf(capacity) })
  const listed = usdOf(found)
  const evidence = { ...evidenceOf(book, found), ...(override ? { override: override.id } : {}) }
  if (override?.kind === 'custom_rates')
    return { ...ownRates(override, capacity), evidence: { ...evidence, kind: 'custom' } }

  const { price, rates } = nodeRates(
    {
      capacity,
      capacityType: query.capacityType,
      os: query.os,
      ...(listed === undefined ? {} : { book: bookPrice(query.capacityType, listed) }),
      ...(override?.kind === 'node_price' ? { overrideUsdPerHour: override.usdPerHour } : {}),
      ...(override?.kind === 'discount' ? { discountPercent: override.percent } : {}),
    },
    referenceRates(book, query) ?? { cpu: 0n, memory: 0n },
  )
  if (override?.kind === 'node_price') return { price, rates, evidence: { ...evidence, kind: 'override' } }
  const estimated = found.kind === 'estimated'
  const discount = override ? { discount_percent: formatDecimal(override.percent) } : {}
  return {
    price: withEstimated(price, estimated),
    rates: ratesWithEstimated(rates, estimated),
    evidence: { ...evidence, ...discount },
  }
}

/** A type in this price list has its size in the class. Another price list, or a custom size, needs the size. */
const sizeOf = ({ cpu, memory }: Amounts) => ({ vcpu: cpu / MICROCORES_PER_CORE, memoryGib: memory / KIB_PER_GIB })

function ownRates({ cpu, memory, gpu }: CustomRatesTerm, capacity: Amounts): { price: NodePrice; rates: NodeRates } {
  const rates = customRates({
    per: 'month',
    ...(cpu === undefined ? {} : { cpu }),
    ...(memory === undefined ? {} : { memory }),
    ...(gpu === undefined ? {} : { gpu }),
  })
  const isWhole = RESOURCES.every((resource) => capacity[resource] === 0 || rates[resource].kind === 'priced')
  if (!isWhole) return { price: { kind: 'unpriced', reason: 'no-custom-rate' }, rates }
  const usdPerHour = RESOURCES.reduce(
    (sum, resource) => sum + usdFor(BigInt(capacity[resource]) * BigInt(SECONDS_PER_HOUR), rates[resource]),
    0n,
  )
  return { price: { kind: 'priced', usdPerHour, estimated: false, source: 'override' }, rates }
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

function withEstimated(price: NodePrice, estimated: boolean): NodePrice {
  return price.kind === 'priced' && estimated ? { ...price, estimated } : price
}

function ratesWithEstimated(rates: NodeRates, estimated: boolean): NodeRates {
  if (!estimated) return rates
  const withFlag = (rate: NodeRates['cpu']) => (rate.kind === 'priced' ? { ...rate, estimated } : rate)
  return { cpu: withFlag(rates.cpu), memory: withFlag(rates.memory), gpu: withFlag(rates.gpu) }
}

function evidenceOf(book: PriceBook, found: HourlyPrice): PriceEvidence {
  if (found.kind === 'unpriced') return { book: book.version, kind: found.kind, why: found.why, note: found.note }
  const { kind, source, asOf, nanoUsdPerHour } = found
  const estimate = found.kind === 'estimated' ? { why: found.why, note: found.note } : {}
  const listed = { source, as_of: asOf, list_usd_per_hour: formatUsd(nanoUsdPerHour) }
  return { book: book.version, kind, ...listed, ...estimate }
}
