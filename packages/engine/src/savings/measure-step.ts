import { apportion } from '../apportion.ts'
import { decimal, divideRounded, DECIMAL_PLACES, type Decimal } from '../decimal.ts'

/** A node or cloud resource that the step named. */
export type MeasuredItem = {
  readonly promisedUsd: Decimal
  readonly offUsd: Decimal
  readonly isGone: boolean
  /** Nothing is measured: no data, no price, or an end before the first change. Its promise is not observed. */
  readonly isUnobserved?: boolean
}

/** `unobserved`: not applied, or not seen in the cluster. */
export type MemberOutcome = 'freed' | 'reverted' | 'unobserved'

export type MeasuredMember = {
  readonly id: string
  readonly shareUsd: Decimal
  readonly outcome: MemberOutcome
  /** The observed part of a partially applied change, from 0 to 1. The other part is not observed. */
  readonly observedPart?: Decimal
}

/**
 * USD per month, in whole cents. `promised + priceDifference` equals the sum of the four other amounts.
 * `priceDifference`: what the removed items cost above the promised price.
 */
export type StepMeasure = Record<StepPart, Decimal> & { readonly promised: Decimal; readonly priceDifference: Decimal }

type StepPart = 'offTheBill' | 'capacityFreed' | 'reverted' | 'notObserved'

export type StepInput = {
  readonly promisedUsd: Decimal
  readonly items: readonly MeasuredItem[]
  readonly members: readonly MeasuredMember[]
}

/**
 * Compares a promise with the bill. Items that are gone are off the bill, at their measured price. The rest of the
 * promise is split by the shares of the changes: capacity freed, reverted, not observed. Of a partially applied change,
 * the observed part is freed.
 */
export function measureStep({ promisedUsd, items, members }: StepInput): StepMeasure {
  const promised = cents(promisedUsd)
  const gone = items.filter(({ isGone }) => isGone)
  const priceDifference = cents(sumOf(gone, ({ offUsd, promisedUsd: usd }) => offUsd - usd))
  const offTheBill = cents(sumOf(items, ({ offUsd }) => offUsd))
  const unobserved = cents(
    sumOf(
      items.filter(({ isUnobserved }) => isUnobserved === true),
      (item) => item.promisedUsd,
    ),
  )
  const rest = splitRest(promised + priceDifference - offTheBill - unobserved, items, members)
  return {
    promised: promised * CENT,
    priceDifference: priceDifference * CENT,
    offTheBill: offTheBill * CENT,
    capacityFreed: rest.freed * CENT,
    reverted: rest.reverted * CENT,
    notObserved: (rest.unobserved + unobserved) * CENT,
  }
}

/** Without a named item nothing proves that capacity is still on the bill, so applied changes are not observed there. */
function splitRest(rest: bigint, items: readonly MeasuredItem[], members: readonly MeasuredMember[]) {
  const sums: Record<MemberOutcome, bigint> = { freed: 0n, reverted: 0n, unobserved: 0n }
  if (members.length === 0) return { ...sums, unobserved: rest }
  const weighted = members.map(({ id, shareUsd }) => ({ key: id, weight: shareUsd > 0n ? shareUsd : 0n }))
  const sign = rest < 0n ? -1n : 1n
  const parts = apportion(rest * sign, weighted)
  for (const { id, outcome, observedPart = ONE } of members) {
    const key = outcome === 'freed' && items.length === 0 ? 'unobserved' : outcome
    const part = sign * (parts.get(id) ?? 0n)
    const observed = key === 'freed' ? divideRounded(part * observedPart, ONE) : part
    sums[key] += observed
    sums.unobserved += part - observed
  }
  return sums
}

const ONE = decimal('1')

const CENT: Decimal = 10n ** BigInt(DECIMAL_PLACES - 2)

const cents = (usd: Decimal) => divideRounded(usd, CENT)

const sumOf = <Item>(items: readonly Item[], usdOf: (item: Item) => Decimal) =>
  items.reduce((sum, item) => sum + usdOf(item), 0n)

export type StepState = 'verified' | 'partial' | 'reverted' | 'regressed' | 'not_observed' | 'awaiting'

/** Null: the change was observed without being marked. `open`: not applied. */
export type MemberState = StepState | null | 'open'

/** The state of a step, from its changes and from the nodes and cloud resources that it named. */
export function stepState(members: readonly MemberState[], items: readonly Pick<MeasuredItem, 'isGone'>[]): StepState {
  const applied = members.filter((state) => state !== 'open')
  if (applied.includes('regressed')) return 'regressed'
  if (applied.length > 0 && applied.every((state) => state === 'reverted')) return 'reverted'
  if (items.length > 0 && items.every(({ isGone }) => isGone))
    return applied.includes('reverted') ? 'partial' : 'verified'
  if (items.some(({ isGone }) => isGone)) return 'partial'
  for (const same of ['awaiting', 'not_observed'] as const) if (applied.every((state) => state === same)) return same
  const isDone = members.every((state) => state === 'verified' || state === null)
  return isDone && items.length === 0 ? 'verified' : 'partial'
}

export function outcomeOf(state: MemberState): MemberOutcome {
  if (state === 'reverted') return 'reverted'
  return state === 'verified' || state === 'partial' || state === 'regressed' || state === null ? 'freed' : 'unobserved'
}
