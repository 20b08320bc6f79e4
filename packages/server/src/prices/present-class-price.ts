import type { NodeClassPrice } from '@plimsoll/contract'
import {
  decimal,
  KIB_PER_GIB,
  MICROCORES_PER_CORE,
  PARTS_PER_WHOLE,
  roundToNumber,
  SECONDS_PER_HOUR,
} from '@plimsoll/engine'
import type { Rate } from '@plimsoll/engine/pricing'
import type { NodeQuery, PriceBook } from '@plimsoll/pricebook'
import type { NodeClassRow } from './queries/node-classes.ts'
import { classRates, type ClassRates, parseClassKey, sourceOf, type TermsInForce } from '@plimsoll/pipeline/prices'

/** Rates are not amounts: six decimals would leave four digits of the price of a GiB. */
const decimalsShown = 10

/** The price of a node class in this hour with its reason, and its on-demand and spot prices. */
export function presentClassPrice(
  book: PriceBook,
  { classKey, nodes, lastSeenAt }: NodeClassRow,
  inForceFor: (query: NodeQuery) => TermsInForce,
): NodeClassPrice {
  const facts = parseClassKey(classKey)
  const { query, capacity } = facts
  const inForce = inForceFor(query)
  const found = classRates(book, facts, inForce.override)
  const priceOn = (capacityType: 'on-demand' | 'spot') => {
    const other = { ...query, capacityType }
    return shownPrice(classRates(book, { ...facts, query: other }, inForceFor(other).override))
  }
  const { provider, region, zone = null, instanceType, capacityType, os, gpu } = query
  return {
    provider,
    region,
    zone,
    instance_type: instanceType,
    capacity_type: capacityType,
    os,
    capacity: {
      vcpu: capacity.cpu / MICROCORES_PER_CORE,
      memory_gib: capacity.memory / KIB_PER_GIB,
      gpus: capacity.gpu / PARTS_PER_WHOLE,
    },
    gpu_type: gpu?.type ?? null,
    nodes,
    last_seen_at: lastSeenAt.toISOString(),
    price: { ...shownPrice(found), ...shownEvidence(found, inForce) },
    rates: {
      usd_per_vcpu_hour: perHour(found.rates.cpu, MICROCORES_PER_CORE),
      usd_per_gib_hour: perHour(found.rates.memory, KIB_PER_GIB),
      usd_per_gpu_hour: perHour(found.rates.gpu, PARTS_PER_WHOLE),
    },
    on_demand: priceOn('on-demand'),
    spot: priceOn('spot'),
  }
}

/** Serverless pods have rates and no node price. */
function shownPrice({ price, rates, evidence }: ClassRates) {
  if (price.kind === 'unpriced') {
    const isPerPod = evidence.list_usd_per_hour === undefined && rates.cpu.kind === 'priced'
    return { kind: isPerPod ? evidence.kind : ('unpriced' as const), usd_per_hour: null }
  }
  return { kind: evidence.kind, usd_per_hour: roundToNumber(price.usdPerHour, decimalsShown) }
}

/** The reason of the list price does not apply to a custom price. */
function shownEvidence({ price, evidence }: ClassRates, { validFrom, override }: TermsInForce) {
  const isOwn = evidence.kind === 'override' || evidence.kind === 'custom'
  const { list_usd_per_hour: list, discount_percent: percent = '0' } = evidence
  return {
    list_usd_per_hour: list === undefined ? null : roundToNumber(decimal(list), decimalsShown),
    discount_percent: Number(percent),
    override_id: override?.id ?? null,
    ...sourceOf(evidence),
    book_version: evidence.book,
    reason: isOwn ? (price.kind === 'unpriced' ? price.reason : null) : (evidence.why ?? null),
    note: isOwn ? null : (evidence.note ?? null),
    effective_from: validFrom.toISOString(),
  }
}

function perHour(rate: Rate, units: number): number | null {
  if (rate.kind === 'unpriced') return null
  return roundToNumber(rate.usdPerUnitSecond * BigInt(units) * BigInt(SECONDS_PER_HOUR), decimalsShown)
}
