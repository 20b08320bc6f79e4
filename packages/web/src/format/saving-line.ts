import type { Evidence } from '@plimsoll/contract'
import { dated } from './time.ts'

type Line = Evidence['saving']['lines'][number]

/** The formula of a line: 2 nodes × $0.2300 /h × 730 h. */
export function lineFormula(line: Line): string {
  const { quantity, unit, usd_per_unit: usd, per, hours } = line
  if (quantity === null || usd === null) return ''
  const size = Math.abs(quantity)
  const many = `${quantity < 0 ? '−' : ''}${shown(size)} ${size === 1 ? unit : manyOf(unit ?? '')}`.trim()
  const price = `$${dollarsOf(usd, digitsFor(line, usd))} /${short(per)}`
  return [many, price, ...(hours === null ? [] : [`${hours} h`])].join(' × ')
}

/** Of an hour as everywhere: $0.8560. */
const digitsMin = { hour: 4, month: 2 } as const
const digitsMax = 8

/** The fewest digits with which the shown factors multiply to the shown amount. */
function digitsFor({ quantity, hours, per, usd_per_month: product }: Line, usd: number): number {
  const times = rounded(Math.abs(quantity ?? 0)) * (hours ?? 1)
  const cents = (amount: number) => Math.round(100 * Math.abs(amount))
  for (let digits = digitsMin[per ?? 'month']; digits < digitsMax; digits += 1) {
    if (cents(times * Number(usd.toFixed(digits))) === cents(product)) return digits
  }
  return digitsMax
}

const dollarsOf = (usd: number, digits: number) =>
  usd.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })

export const sourceWords = ({ source, as_of: asOf }: Pick<Line, 'source' | 'as_of'>): string =>
  source === null ? '' : `source ${source.replaceAll(';', ', ')}${asOf === null ? '' : `, as of ${dated(asOf)}`}`

/** Small fractions of a core keep the digits that the amount needs. */
const rounded = (quantity: number) => Number(Number(quantity.toPrecision(6)).toFixed(6))
const shown = (quantity: number) => rounded(quantity).toLocaleString('en-US', { maximumFractionDigits: 6 })

const manyOf = (unit: string) => (unit === 'GiB' || unit === '' ? unit : `${unit}s`)

const short = (per: Line['per']) => (per === 'hour' ? 'h' : 'mo')
