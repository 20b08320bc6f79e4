const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const digits = (many: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: many, maximumFractionDigits: many })
const rates = digits(4)
const smallRates = digits(6)

/** A real minus sign is as wide as a digit; a hyphen is not. */
const signed = (value: number, text: string) => (value < 0 ? `−$${text}` : `$${text}`)

/** Whole dollars, and cents where whole dollars would say nothing. */
export function dollars(value: number): string {
  const size = Math.abs(value)
  const text = size >= 10 || size < 0.005 ? whole.format(size) : cents.format(size)
  return signed(size < 0.005 ? 0 : value, text)
}

/** What is not known is a dash, never a zero. */
export const dollarsOrDash = (value: number | null) => (value === null ? '–' : dollars(value))

/** For receipts. */
export const exactDollars = (value: number) => signed(value, cents.format(Math.abs(value)))

/** For prices of an hour: as many digits in each row of a column, and more where four would say little. */
export function rateDollars(value: number): string {
  const size = Math.abs(value)
  return signed(value, (size > 0 && size < 0.01 ? smallRates : rates).format(size))
}

/** With its sign, for what has changed. */
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

/**
 * Whole dollars whose sum is the whole dollars of the sum: what falls short goes to those that lost most by rounding
 * down. Without it a table of parts would contradict its own total.
 */
export function roundTogether(parts: readonly number[]): number[] {
  const total = Math.round(parts.reduce((sum, part) => sum + part, 0))
  const rounded = parts.map(Math.floor)
  const missing = total - rounded.reduce((sum, part) => sum + part, 0)
  const byLoss = parts.map((part, index) => ({ index, loss: part - Math.floor(part) })).sort((a, b) => b.loss - a.loss)
  for (const { index } of byLoss.slice(0, missing)) rounded[index] = (rounded[index] ?? 0) + 1
  return rounded
}

const wholeFrom = 1000

/** A line of sums whose shown amounts add up to the shown total: in whole dollars, or in cents where those leave much out. */
export function addedUp(parts: readonly number[]): { parts: string[]; total: string } {
  const perDollar = parts.reduce((sum, part) => sum + part, 0) < wholeFrom ? 100 : 1
  const rounded = roundTogether(parts.map((part) => part * perDollar))
  const words = (amount: number) =>
    perDollar === 1 ? signed(amount, whole.format(amount)) : exactDollars(amount / 100)
  return { parts: rounded.map(words), total: words(rounded.reduce((sum, part) => sum + part, 0)) }
}
