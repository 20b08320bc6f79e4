import type { Prices, StorageClassPrice } from '@plimsoll/contract'
import { decimal, KIB_PER_GIB, roundToNumber } from '@plimsoll/engine'
import type { PriceBook } from '@plimsoll/pricebook'
import type { CloudResourceClassRow } from './queries/cloud-resource-classes.ts'
import {
  cloudResourcePrice,
  type CloudResourcePrice,
  type CloudResourceTerm,
  cloudResourceTermsInForce,
  parseCloudResourceKey,
  type PriceTerms,
  sourceOf,
  type TermsInForce,
} from '@plimsoll/pipeline/prices'

const decimalsShown = 10

/** The note in the price list is about traffic of load balancers, which is in no figure. */
const onlyHours = 'Hourly price. Traffic is not measured.'

type CloudResourcePrices = Pick<Prices, 'storage_classes' | 'load_balancers' | 'control_plane'>

/** The price of each class of cloud resources in this hour, with its reason. */
export function presentCloudResourcePrices(
  book: PriceBook,
  classes: readonly CloudResourceClassRow[],
  terms: PriceTerms,
  hour: Date,
): CloudResourcePrices {
  const prices: CloudResourcePrices = { storage_classes: [], load_balancers: [], control_plane: [] }
  for (const { classKey, assets, units, lastSeenAt } of classes) {
    const facts = parseCloudResourceKey(classKey)
    if (!facts) continue
    const inForce = cloudResourceTermsInForce(terms, hour, facts)
    const price = presentPrice(cloudResourcePrice(book, facts, inForce.override), inForce)
    const seen = { last_seen_at: lastSeenAt.toISOString(), price }
    const { provider } = facts
    if (facts.asset === 'volume') {
      const { region, storageClass, sizeGib = null } = facts
      const size = { size_gib: sizeGib, volumes: assets, total_gib: Number(units) / KIB_PER_GIB }
      prices.storage_classes.push({ provider, region, storage_class: storageClass, ...size, ...seen })
    } else if (facts.asset === 'balancer') {
      const type = facts.type === '' ? null : facts.type
      const ofHours = { ...price, note: price.usd === null ? price.note : onlyHours }
      prices.load_balancers.push({
        provider,
        region: facts.region,
        type,
        balancers: assets,
        ...seen,
        price: ofHours,
      })
    } else {
      const { service, support = 'standard' } = facts
      prices.control_plane.push({ provider, service, support: service === 'managed' ? support : null, ...seen })
    }
  }
  return prices
}

function presentPrice(
  { rate, per, usd, evidence }: CloudResourcePrice,
  { validFrom, override }: TermsInForce<CloudResourceTerm>,
): StorageClassPrice['price'] {
  const isOwn = evidence.kind === 'custom'
  const shown = (text: string | undefined) => (isOwn ? null : (text ?? null))
  const { list_usd: list, discount_percent: percent = '0' } = evidence
  return {
    kind: rate.kind === 'unpriced' ? 'unpriced' : evidence.kind,
    per,
    usd: usd === undefined ? null : roundToNumber(usd, decimalsShown),
    list_usd: list === undefined ? null : roundToNumber(decimal(list), decimalsShown),
    discount_percent: Number(percent),
    override_id: override?.id ?? null,
    ...sourceOf(evidence),
    book_version: evidence.book,
    reason: shown(evidence.why),
    note: shown(evidence.note),
    effective_from: validFrom.toISOString(),
  }
}
