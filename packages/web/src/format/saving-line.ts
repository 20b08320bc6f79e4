import type { Evidence } from '@plimsoll/contract'
import { exactDollars, rateDollars } from './money.ts'

type Line = Evidence['saving']['lines'][number]

/** What the figure of a line is the product of: 2 nodes × $0.230000 /h × 730 h. */
export function lineFormula({ quantity, unit, usd_per_unit: usd, per, hours }: Line): string {
  if (quantity === null || usd === null) return ''
  const size = Math.abs(quantity)
  const many = `${quantity < 0 ? '−' : ''}${shown(size)} ${size === 1 ? unit : manyOf(unit ?? '')}`.trim()
  const price = per === 'month' && usd >= 1 ? `${exactDollars(usd)} /mo` : `${rateDollars(usd)} /${short(per)}`
  return [many, price, ...(hours === null ? [] : [`${hours} h`])].join(' × ')
}

export const sourceWords = ({ source, as_of: asOf }: Pick<Line, 'source' | 'as_of'>): string =>
  source === null ? '' : `source ${source.replaceAll(';', ', ')}${asOf === null ? '' : `, as of ${asOf}`}`

/** Small parts of a core keep the digits that the figure needs. */
const shown = (quantity: number) =>
  Number(quantity.toPrecision(5)).toLocaleString('en-US', { maximumFractionDigits: 5 })

const manyOf = (unit: string) => (unit === 'GiB' || unit === '' ? unit : `${unit}s`)

const short = (per: Line['per']) => (per === 'hour' ? 'h' : 'mo')
