import { formatDecimal, roundToNumber, type Decimal } from '@plimsoll/engine'
import { giveRest, type Pair } from '@plimsoll/engine/changes'

const placesShown = 6
const unit = 10n ** 18n

/** In millionths of a dollar, half away from zero. */
const micros = (usd: Decimal) => (2n * usd + (usd < 0n ? -unit : unit)) / (2n * unit)

const fromMicros = (value: bigint) => Number(value) / 10 ** placesShown

/** The costs are rounded as in other answers, and the difference is that of the rounded costs. */
export const presentCosts = ({ before, now }: Pair<Decimal>) => ({
  before: roundToNumber(before, placesShown),
  now: roundToNumber(now, placesShown),
  difference: fromMicros(micros(now) - micros(before)),
})

/** Amounts that add up to the difference after rounding, too: the largest amount takes the rounding rest. */
export function presentAmounts(amounts: readonly Decimal[], { before, now }: Pair<Decimal>) {
  const rounded = amounts.map(micros)
  giveRest(rounded, micros(now) - micros(before))
  return amounts.map((usd, at) => ({ amount: fromMicros(rounded[at] ?? 0n), exact_amount: formatDecimal(usd) }))
}

/** A part that belongs to no list. */
export const presentAmount = (usd: Decimal) => ({
  amount: roundToNumber(usd, placesShown),
  exact_amount: formatDecimal(usd),
})

/** By absolute value; ties by name, so that the same input always gives the same list. */
export function largestFirst<Item>(
  items: readonly Item[],
  usdOf: (item: Item) => Decimal,
  nameOf: (item: Item) => string,
): Item[] {
  const size = (usd: Decimal) => (usd < 0n ? -usd : usd)
  return items
    .map((item) => ({ item, usd: size(usdOf(item)), name: nameOf(item) }))
    .sort((a, b) => Number(b.usd > a.usd) - Number(b.usd < a.usd) || Number(a.name > b.name) - Number(a.name < b.name))
    .map(({ item }) => item)
}
