import type { Evidence } from '@plimsoll/contract'
import { dated } from './time.ts'

type Line = Evidence['saving']['lines'][number]

/** The formula of a line: 2 nodes × $0.2300/h × 730 h. */
export function lineFormula(line: Line): string {
  const { quantity, unit, usd_per_unit: usd, per, hours } = line
  if (quantity === null || usd === null) return ''
  const size = Math.abs(quantity)
  const name = wordOf(unit ?? '')
  const { times, digits } = factorsOf(line, usd)
  const many = `${quantity < 0 ? '−' : ''}${shown(times)} ${size === 1 ? name : manyOf(name)}`.trim()
  const price = `$${dollarsOf(usd, digits)}/${short(per)}`
  return [many, price, ...(hours === null ? [] : [`${hours} h`])].join(' × ')
}

/** An hourly price in the usual format: $0.8560. */
const digitsMin = { hour: 4, month: 2 } as const
const digitsMax = 8

/** The fewest digits of the quantity, and then of the price, with which both multiply to the shown amount. */
function factorsOf({ quantity, hours, per, usd_per_month: product }: Line, usd: number) {
  const cents = (amount: number) => Math.round(100 * Math.abs(amount))
  for (const precision of [3, 4, 5, 6]) {
    const times = rounded(Math.abs(quantity ?? 0), precision)
    for (let digits = digitsMin[per ?? 'month']; digits <= digitsMax; digits += 1) {
      if (cents(times * (hours ?? 1) * Number(usd.toFixed(digits))) === cents(product)) return { times, digits }
    }
  }
  return { times: rounded(Math.abs(quantity ?? 0), 6), digits: digitsMax }
}

const dollarsOf = (usd: number, digits: number) =>
  usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

/** Settings lists the sources by their ids. The page marks an estimated price, so its text has only the date. */
export const sourceWords = ({
  source,
  as_of: asOf,
  estimated,
}: Pick<Line, 'source' | 'as_of' | 'estimated'>): string =>
  source === null
    ? ''
    : [...(estimated ? [] : ['list price']), ...(asOf === null ? [] : [`as of ${dated(asOf)}`])].join(', ')

/** Small fractions of a core keep the digits that the amount needs. */
const rounded = (quantity: number, precision: number) =>
  Number.isInteger(quantity) ? quantity : Number(Number(quantity.toPrecision(precision)).toFixed(6))
const shown = (quantity: number) => quantity.toLocaleString('en-US', { maximumFractionDigits: 6 })

const wordOf = (unit: string) => (unit === 'core' ? 'vCPU' : unit)

const manyOf = (unit: string) => (unit === 'GiB' || unit === 'vCPU' || unit === '' ? unit : `${unit}s`)

const short = (per: Line['per']) => (per === 'hour' ? 'h' : 'month')
