import type { Decimal } from '@plimsoll/engine'
import { canonicalProvider, canonicalRegion, type NodeQuery } from '@plimsoll/pricebook'
import type { CloudResourceClass } from './cloud-resource-class.ts'

export type BookTerm = { version: string; asOf: string; effectiveFrom: Date }

type Term = {
  id: string
  /** Null: every cluster. */
  clusterId: string | null
  effectiveFrom: Date
  /** Applies to the hours before; null: no end. */
  effectiveUntil: Date | null
  /** Increases with each new override. */
  position: number
}

export type NodePriceTerm = Term & {
  kind: 'node_price'
  provider: string | null
  region: string | null
  instanceType: string
  capacityType: 'on-demand' | 'spot' | null
  os: 'linux' | 'windows'
  usdPerHour: Decimal
}
export type DiscountTerm = Term & { kind: 'discount'; provider: string; percent: Decimal }
/** USD per month. A resource without a rate is not priced. */
export type CustomRatesTerm = Term & {
  kind: 'custom_rates'
  cpu?: Decimal
  memory?: Decimal
  gpu?: Decimal
  /** Per GiB. */
  storage?: Decimal
}

export type OverrideTerm = NodePriceTerm | DiscountTerm | CustomRatesTerm

/** An override that applies to a cloud resource: rates for storage, or a discount of its provider. */
export type CloudResourceTerm = (CustomRatesTerm & { storage: Decimal }) | DiscountTerm

/** The inputs of all prices of one cluster at any hour. Price lists in the order of their activation. */
export type PriceTerms = { books: readonly BookTerm[]; overrides: readonly OverrideTerm[] }

export type TermsInForce<Override = OverrideTerm> = {
  book: BookTerm
  override: Override | undefined
  /** When both took effect. */
  validFrom: Date
  /** Identifies both: a node class has one rate per key. */
  key: string
}

/**
 * The terms that price a node in an hour: the price list of that hour, and at most one override. A node price overrides
 * cluster rates, and rates override a discount. Among equals the more specific one wins, then the later start, then the
 * later creation.
 */
export function termsInForce(terms: PriceTerms, hour: Date, query: NodeQuery): TermsInForce {
  return chooseTerms(terms, hour, (term) => concerns(term, query))
}

/** Storage rates override a discount of the provider. A node price does not apply to other resources. */
export function cloudResourceTermsInForce(
  terms: PriceTerms,
  hour: Date,
  facts: CloudResourceClass,
): TermsInForce<CloudResourceTerm> {
  return chooseTerms(terms, hour, (term) => concernsCloudResource(term, facts))
}

function concernsCloudResource(term: OverrideTerm, { asset, provider }: CloudResourceClass): term is CloudResourceTerm {
  if (term.kind === 'custom_rates') return asset === 'volume' && term.storage !== undefined
  return term.kind === 'discount' && canonicalProvider(term.provider) === provider
}

function chooseTerms<Chosen extends OverrideTerm>(
  { books, overrides }: PriceTerms,
  hour: Date,
  isMeant: ((term: OverrideTerm) => term is Chosen) | ((term: OverrideTerm) => boolean),
): TermsInForce<Chosen> {
  const book = books.findLast(({ effectiveFrom }) => effectiveFrom <= hour) ?? books[0]
  if (!book) throw new Error('no price list is loaded')
  const override = overrides
    .filter((each): each is Chosen => holdsAt(each, hour) && isMeant(each))
    .reduce<Chosen | undefined>((best, each) => (best && comesBefore(best, each) ? best : each), undefined)
  const validFrom =
    override && override.effectiveFrom > book.effectiveFrom ? override.effectiveFrom : book.effectiveFrom
  return { book, override, validFrom, key: override ? `${book.version} ${override.id}` : book.version }
}

export const holdsAt = ({ effectiveFrom, effectiveUntil }: Term, hour: Date) =>
  effectiveFrom <= hour && (effectiveUntil === null || hour < effectiveUntil)

function concerns(term: OverrideTerm, query: NodeQuery): boolean {
  const provider = canonicalProvider(query.provider)
  if (term.kind === 'custom_rates') return (term.cpu ?? term.memory ?? term.gpu) !== undefined
  if (term.kind === 'discount') return canonicalProvider(term.provider) === provider
  return (
    term.instanceType.toLowerCase() === query.instanceType.trim().toLowerCase() &&
    term.os === query.os &&
    (term.capacityType ?? query.capacityType) === query.capacityType &&
    (term.provider === null || canonicalProvider(term.provider) === provider) &&
    (term.region === null || isIn(canonicalRegion(provider, term.region), provider, query))
  )
}

/** A local zone is a part of its region and has its own name. */
const isIn = (place: string, provider: string, { region, zone = region }: NodeQuery) =>
  place === canonicalRegion(provider, region) || place === canonicalRegion(provider, zone)

const kindRank = { discount: 0, custom_rates: 1, node_price: 2 }

function comesBefore(a: OverrideTerm, b: OverrideTerm): boolean {
  const [left, right] = [rankOf(a), rankOf(b)]
  const at = left.findIndex((value, index) => value !== right[index])
  return (left[at] ?? 0) > (right[at] ?? 0)
}

function rankOf(term: OverrideTerm): number[] {
  const { region = null, provider = null, capacityType = null } = term.kind === 'node_price' ? term : {}
  const given = [term.clusterId, region, provider, capacityType].map((name) => (name === null ? 0 : 1))
  return [kindRank[term.kind], ...given, term.effectiveFrom.getTime(), term.position]
}
