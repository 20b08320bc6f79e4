import type { BillingUnit } from '@plimsoll/contract'
import { decimal, formatDecimal, KIB_PER_GIB, type Decimal } from '@plimsoll/engine'
import {
  cloudResourceRate,
  discounted,
  storageRate,
  type Rate,
  type StoragePrice as EnginePrice,
} from '@plimsoll/engine/pricing'
import {
  findControlPlaneFee,
  findLoadBalancerPrice,
  findStoragePrice,
  formatUsd,
  type PriceBook,
  type Unpriced,
} from '@plimsoll/pricebook'
import type { CloudResourceClass } from './cloud-resource-class.ts'
import type { PriceEvidence } from './price-evidence.ts'
import type { CloudResourceTerm } from './price-terms.ts'
import { dateOfPrice } from './price-sources.ts'

export type CloudResourcePrice = {
  rate: Rate
  per: BillingUnit
  /** With overrides; absent where there is no price. */
  usd?: Decimal
  evidence: PriceEvidence & { per?: BillingUnit; list_usd?: string; size_gib?: number }
}

type Listed =
  | {
      kind: 'listed' | 'estimated'
      per: BillingUnit
      usd: Decimal
      source: string
      asOf: string
      why?: string
      note: string
    }
  | (Unpriced & { per: BillingUnit })

/**
 * The price of a class of volumes, load balancers or control planes under this price list and this override, with its
 * evidence.
 */
export function cloudResourcePrice(
  book: PriceBook,
  facts: CloudResourceClass,
  term?: CloudResourceTerm,
): CloudResourcePrice {
  const listed = findListed(book, facts)
  const evidence = { ...evidenceOf(book, listed), ...(term ? { override: term.id } : {}) }
  if (term?.kind === 'custom_rates') {
    const rate = rateOf(facts, { per: 'gib-month', usd: term.storage, estimated: false })
    return { rate, per: 'gib-month', usd: term.storage, evidence: { ...evidence, kind: 'custom', per: 'gib-month' } }
  }
  if (listed.kind === 'unpriced') {
    return { rate: { kind: 'unpriced', reason: 'not-in-book' }, per: listed.per, evidence }
  }
  const usd = discounted(listed.usd, term?.percent ?? 0n)
  const rate = rateOf(facts, { per: listed.per, usd, estimated: listed.kind === 'estimated' })
  const discount = term ? { discount_percent: formatDecimal(term.percent) } : {}
  return { rate, per: listed.per, usd, evidence: { ...evidence, ...discount } }
}

function rateOf(
  facts: CloudResourceClass,
  { per, usd, estimated }: { per: BillingUnit; usd: Decimal; estimated: boolean },
): Rate {
  if (per === 'hour') return cloudResourceRate(usd, { estimated })
  const price: EnginePrice =
    per === 'gib-month'
      ? { kind: 'per-gib', usdPerGibMonth: usd, estimated }
      : { kind: 'per-disk', usdPerMonth: usd, estimated }
  return storageRate(price, sizeKibOf(facts))
}

const sizeKibOf = (facts: CloudResourceClass) =>
  facts.asset === 'volume' ? Math.round((facts.sizeGib ?? 1) * KIB_PER_GIB) : 0

function findListed(book: PriceBook, facts: CloudResourceClass): Listed {
  if (facts.asset === 'volume') return findVolume(book, facts)
  const found =
    facts.asset === 'balancer'
      ? findLoadBalancerPrice(book, { ...facts, type: facts.type === '' ? undefined : facts.type })
      : controlPlaneFee(book, facts)
  if (found.kind === 'unpriced') return { ...found, per: 'hour' }
  return { ...found, per: 'hour', usd: decimal(formatUsd(found.nanoUsdPerHour)) }
}

/** A self-managed control plane has no fee: its machines are nodes. The price list says so for some providers. */
function controlPlaneFee(
  book: PriceBook,
  { provider, service, support }: CloudResourceClass & { asset: 'control_plane' },
) {
  const tier = support === 'extended' ? 'extended-support' : undefined
  if (service === 'managed') return findControlPlaneFee(book, { provider, tier })
  const note = 'The control plane runs on nodes of the cluster and is priced with them.'
  return { kind: 'listed' as const, nanoUsdPerHour: 0, note, source: '-', asOf: book.asOf }
}

function findVolume(
  book: PriceBook,
  { provider, region, storageClass, sizeGib }: CloudResourceClass & { asset: 'volume' },
): Listed {
  const found = findStoragePrice(book, { provider, region, storageClass, sizeGib: sizeGib ?? 1 })
  if (found.kind === 'unpriced') return { ...found, per: 'gib-month' }
  const { per, nanoUsd } = found.billing
  if (per !== 'gib-month' && per !== 'disk-month') {
    const note = `'${storageClass}' is priced by performance, which the agent does not report.`
    return { kind: 'unpriced', why: 'gap-in-sources', note, per: 'gib-month' }
  }
  return { ...found, per, usd: decimal(formatUsd(nanoUsd)) }
}

function evidenceOf(book: PriceBook, listed: Listed): CloudResourcePrice['evidence'] {
  const known = { book: book.version, kind: listed.kind, per: listed.per }
  if (listed.kind === 'unpriced') return { ...known, why: listed.why, note: listed.note }
  const { source, asOf, why, note } = listed
  return {
    ...known,
    source,
    as_of: dateOfPrice(book, source, asOf),
    list_usd: formatDecimal(listed.usd),
    ...(why === undefined ? {} : { why }),
    ...(note === '' ? {} : { note }),
  }
}
