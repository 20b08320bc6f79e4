import { roundTable, roundTogether, sumOf, whole as wholeOf, type PinnedRow } from './round.ts'

const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const digits = (many: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: many, maximumFractionDigits: many })
const rates = digits(4)
const smallRates = digits(6)

/** A real minus sign is as wide as a digit; a hyphen is not. */
const signed = (value: number, text: string) => (value < 0 ? `−$${text}` : `$${text}`)

/** Whole dollars from $10, cents below. */
export function dollars(value: number): string {
  const size = Math.abs(value)
  const text = size >= 10 || size < 0.005 ? whole.format(wholeOf(size)) : inWholeCents(size)
  return signed(size < 0.005 ? 0 : value, text)
}

/** An unknown amount is a dash, never $0. */
export const dollarsOrDash = (value: number | null) => (value === null ? '–' : dollars(value))

/** For receipts. */
export const exactDollars = (value: number) => signed(value, inWholeCents(Math.abs(value)))

/** The same rounding as for sums, so that an amount looks alike alone and as a total. */
const inWholeCents = (size: number) => cents.format(wholeOf(size * 100) / 100)

/** Hourly prices: four decimals, and six below one cent. */
export function rateDollars(value: number): string {
  const size = Math.abs(value)
  return signed(value, (size > 0 && size < 0.01 ? smallRates : rates).format(size))
}

/** A change, with its sign. */
export function change(value: number): string {
  const text = dollars(value)
  return value > 0 && text !== '$0' ? `+${text}` : text
}

/** Axes: $44k. */
export function shortDollars(value: number): string {
  if (Math.abs(value) < 1000) return dollars(value)
  const thousands = value / 1000
  return `${value < 0 ? '−' : ''}$${Number(Math.abs(thousands).toFixed(thousands % 1 === 0 ? 0 : 1))}k`
}

/** The labels of an axis: $44k, or whole dollars if two ticks would have the same label. */
export const axisDollars = (ticks: readonly number[]) =>
  new Set(ticks.map(shortDollars)).size === ticks.length ? shortDollars : dollars

/** Sums from here on are shown without cents. */
const wholeFrom = 1000

type Resolution = { perDollar: 1 | 100; words: (units: number, exact: number) => string }

/** Whole dollars, or cents for small sums. Parts and their total share one resolution. */
function resolutionOf(parts: readonly number[]): Resolution {
  const size = parts.reduce((sum, part) => sum + Math.abs(part), 0)
  if (size < wholeFrom) return { perDollar: 100, words: (units) => (units === 0 ? '$0' : exactDollars(units / 100)) }
  const words = (units: number, exact: number) =>
    units === 0 && exact > 0.005 ? '<$1' : signed(units, whole.format(Math.abs(units)))
  return { perDollar: 1, words }
}

/** Receipts always have cents. */
const inCents: Resolution = { perDollar: 100, words: (units) => exactDollars(units / 100) }

export type AddedUp = { parts: string[]; total: string }

/**
 * Amounts whose shown parts add up to the shown total, by largest remainder. Each sum with its parts is shown this way.
 * `sizes`: the amounts that decide between whole dollars and cents, such as those of the whole table.
 */
export const addedUp = (exact: readonly number[], sizes = exact) => addedUpIn(resolutionOf(sizes), exact)

/** The same for the lines of a receipt. */
export const exactlyAddedUp = (exact: readonly number[]) => addedUpIn(inCents, exact)

function addedUpIn({ perDollar, words }: Resolution, exact: readonly number[]): AddedUp {
  const rounded = roundTogether(exact.map((part) => part * perDollar))
  return {
    parts: rounded.map((units, index) => words(units, exact[index] ?? 0)),
    total: words(sumOf(rounded), sumOf(exact)),
  }
}

/** The same for the parts of one of these amounts: they add up to that amount as shown. */
export function addedUpWithin(exact: readonly number[], index: number, inner: readonly number[]): string[] {
  const { perDollar, words } = resolutionOf(exact)
  const units = roundTogether(exact.map((part) => part * perDollar))[index]
  const rounded = roundTogether(
    inner.map((part) => part * perDollar),
    units,
  )
  return rounded.map((each, at) => words(each, inner[at] ?? 0))
}

export type AddedUpGroups = {
  groups: string[]
  items: string[][]
  units: number[][]
  sumOf: (indexes: readonly number[]) => string
}

/** Groups that add up to the total, and items that add up to their group. `sumOf` adds up groups as shown. */
export function addedUpGroups(exact: readonly (readonly number[])[]): AddedUpGroups {
  const { perDollar, words } = resolutionOf(exact.flat())
  const sums = exact.map((items) => sumOf(items))
  const units = roundTogether(sums.map((sum) => sum * perDollar))
  const itemUnits = exact.map((items, at) =>
    roundTogether(
      items.map((item) => item * perDollar),
      units[at],
    ),
  )
  const pick = (values: readonly number[], indexes: readonly number[]) => sumOf(indexes.map((at) => values[at] ?? 0))
  return {
    groups: units.map((each, at) => words(each, sums[at] ?? 0)),
    items: itemUnits.map((items, at) => items.map((each, of) => words(each, exact[at]?.[of] ?? 0))),
    units: itemUnits,
    sumOf: (indexes) => words(pick(units, indexes), pick(sums, indexes)),
  }
}

/** A sum whose parts are shown elsewhere on the page, in the same resolution. */
export const sumDollars = (value: number) => addedUp([value]).total

/** The same for changes: an increase has a plus sign. */
export function addedUpChanges(exact: readonly number[], sizes = exact): AddedUp {
  const { parts, total } = addedUp(exact, sizes)
  const withSign = (text: string, value: number) => (value > 0 && /^\$.*[1-9]/.test(text) ? `+${text}` : text)
  return { parts: parts.map((text, index) => withSign(text, exact[index] ?? 0)), total: withSign(total, sumOf(exact)) }
}

export type AddedUpTable = { cells: string[][]; rows: string[]; columns: string[]; total: string }

/** A table whose shown cells add up across and down. `pinned`: a row whose rounded total is given. */
export function addedUpTable(
  exact: readonly (readonly number[])[],
  pinned?: PinnedRow,
  sizes: readonly number[] = exact.flat(),
): AddedUpTable {
  const { perDollar, words } = resolutionOf(sizes)
  const { cells, rows, columns, total } = roundTable(
    exact.map((row) => row.map((cell) => cell * perDollar)),
    pinned,
  )
  const columnOf = (index: number) => exact.map((row) => row[index] ?? 0)
  return {
    cells: cells.map((row, at) => row.map((units, of) => words(units, exact[at]?.[of] ?? 0))),
    rows: rows.map((units, at) => words(units, sumOf(exact[at] ?? []))),
    columns: columns.map((units, of) => words(units, sumOf(columnOf(of)))),
    total: words(total, sumOf(exact.flat())),
  }
}

export type BillSteps = {
  now: string | null
  /** Change of the bill by each step. */
  changes: string[]
  /** The bill after each step; null if the run rate is unknown. */
  after: (string | null)[]
  total: string
}

/** The bill before and after each step, rounded together: what is shown adds up. Savings lower the bill. */
export function billSteps(runRate: number | null, savings: readonly number[]): BillSteps {
  const exact = [runRate ?? 0, ...savings.map((usd) => -usd)]
  const { perDollar, words } = resolutionOf(exact)
  const [now = 0, ...changes] = roundTogether(exact.map((part) => part * perDollar))
  const withSign = (units: number, usd: number) => (units > 0 ? `+${words(units, usd)}` : words(units, usd))
  const bill = (units: number) => (runRate === null ? null : words(units, units / perDollar))
  return {
    now: bill(now),
    changes: changes.map((units, index) => withSign(units, exact[index + 1] ?? 0)),
    after: changes.map((_each, index) => bill(now + sumOf(changes.slice(0, index + 1)))),
    total: withSign(sumOf(changes), -sumOf(savings)),
  }
}

export type BillBridge = {
  before: string
  changes: string[]
  total: string
  now: string
  /** The parts of one change, which add up to it as shown. */
  within: (change: number, exact: readonly number[]) => string[]
}

/** A bill, its changes and the later bill, rounded together in cents: what is shown adds up. An increase has a plus sign. */
export function billBridge(before: number, changes: readonly number[]): BillBridge {
  const [first = 0, ...rest] = roundTogether([before, ...changes].map((usd) => usd * 100))
  const words = (units: number) => exactDollars(units / 100)
  const withSign = (units: number) => (units > 0 ? `+${words(units)}` : words(units))
  const total = sumOf(rest)
  const within = (change: number, exact: readonly number[]) =>
    roundTogether(
      exact.map((usd) => usd * 100),
      rest[change],
    ).map(withSign)
  return {
    before: words(first),
    changes: rest.map(withSign),
    total: withSign(total),
    now: words(first + total),
    within,
  }
}

/** Savings lower the bill, so they have a minus sign. */
export const exactSavings = (usd: number) => exactDollars(-usd)
