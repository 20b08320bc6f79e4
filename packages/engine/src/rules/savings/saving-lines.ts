import { HOURS_PER_MONTH } from '../../time.ts'
import { KIB_PER_GIB } from '../../units.ts'
import { count } from '../../count.ts'
import { groupBy } from '../../group-by.ts'
import type { VolumeFacts } from '../facts/cluster-facts.ts'
import type { Finding, PriceRow, SavingLine, UnitPrice } from '../finding.ts'
import { COUNTED_THERE } from '../checks.ts'
import type { NodeFacts } from '../facts/object-facts.ts'

export type Amount = { readonly cpuMillicores: number; readonly memoryKib: number }

type ResourcePrice = {
  readonly cpuUsdPerMillicoreMonth: number
  readonly memoryUsdPerKibMonth: number
  readonly rows?: readonly PriceRow[]
}

/** A quantity at its price; a negative quantity is a new cost. */
export function lineOf(what: string, quantity: number, price: UnitPrice): SavingLine {
  const hours = price.per === 'hour' ? HOURS_PER_MONTH : 1
  return { what, quantity, price, usdPerMonth: quantity * price.usd * hours }
}

/** A monthly cost without a unit price. */
export const monthlyPrice = (usd: number, unit: string): UnitPrice => ({
  usd,
  per: 'month',
  unit,
  source: null,
  asOf: null,
  isEstimated: false,
})

/** Freed CPU and memory at their prices; 0 has no line. */
export function resourceLines(what: string, amount: Amount, price: ResourcePrice): SavingLine[] {
  const { rows = [] } = price
  const of = (usd: number, unit: string): UnitPrice => ({ ...monthlyPrice(usd, unit), ...sourceIn(rows) })
  const lines = [
    lineOf(`CPU ${what}`, amount.cpuMillicores / 1000, of(price.cpuUsdPerMillicoreMonth * 1000, 'core')),
    lineOf(`Memory ${what}`, amount.memoryKib / KIB_PER_GIB, of(price.memoryUsdPerKibMonth * KIB_PER_GIB, 'GiB')),
  ]
  return lines.filter(({ quantity }) => quantity !== 0)
}

export const timesAmount = ({ cpuMillicores, memoryKib }: Amount, factor: number): Amount => ({
  cpuMillicores: cpuMillicores * factor,
  memoryKib: memoryKib * factor,
})

export const sumAmounts = (amounts: readonly Amount[]): Amount => ({
  cpuMillicores: amounts.reduce((sum, each) => sum + each.cpuMillicores, 0),
  memoryKib: amounts.reduce((sum, each) => sum + each.memoryKib, 0),
})

/** A mean of prices from several sources has no source; the rows beside it name all of them. */
export function sourceIn(rows: readonly PriceRow[]): Pick<UnitPrice, 'source' | 'asOf' | 'isEstimated'> {
  const [first] = rows
  const isOne = rows.every(({ source, asOf }) => source === first?.source && asOf === first.asOf)
  const known = isOne && first ? { source: first.source, asOf: first.asOf } : { source: null, asOf: null }
  return { ...known, isEstimated: rows.some(({ estimated }) => estimated) }
}

/** Removed nodes; equal prices share a line. */
export function nodeLines(nodes: readonly NodeFacts[]): SavingLine[] {
  const alike = groupBy(nodes, ({ instanceType, usdPerMonth }) => `${instanceType} ${usdPerMonth}`)
  return [...alike.values()].flatMap((some) => {
    const [first] = some
    if (!first) return []
    const what = `${count(some.length, 'node')} of ${first.instanceType}${first.isSpot ? ', spot' : ''}`
    return [lineOf(what, some.length, nodePrice(first))]
  })
}

function nodePrice({ price, usdPerMonth }: NodeFacts): UnitPrice {
  const usd = price?.nodeUsdPerHour ?? null
  if (!price || usd === null) return monthlyPrice(usdPerMonth ?? 0, 'node')
  return { usd, per: 'hour', unit: 'node', ...sourceIn([price]) }
}

/** The price rows of these nodes, each once. */
export function nodeRows(nodes: readonly NodeFacts[]): PriceRow[] {
  const rows = nodes.flatMap(({ price }) => price ?? [])
  return [...new Map(rows.map((row) => [row.rateId, row])).values()]
}

export const priceOfVolume = ({
  price,
  usdPerMonth,
}: {
  readonly price?: UnitPrice
  readonly usdPerMonth: number | null
}): UnitPrice => price ?? monthlyPrice(usdPerMonth ?? 0, 'volume')

/** Most disks are priced per GiB; disks of fixed sizes cost the same full or not. */
export function volumeLine(what: string, { sizeKib }: VolumeFacts, price: UnitPrice, share = 1): SavingLine {
  return lineOf(what, price.unit === 'GiB' ? (share * sizeKib) / KIB_PER_GIB : share, price)
}

/** Less than half a cent is a rounding difference. */
export const SEEN_USD_MIN = 0.005

/**
 * All lines of a finding: those of its rule, and one for adjustments. They add up to the estimate to the cent, or there
 * are none.
 */
export function savingLinesOf(finding: Finding, lines: readonly SavingLine[]): readonly SavingLine[] {
  const rest = finding.estimatedUsdPerMonth - lines.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0)
  if (lines.length === 0 || Math.abs(rest) < SEEN_USD_MIN) return lines
  return [...lines, { what: whyRest(finding, rest), quantity: null, price: null, usdPerMonth: rest }]
}

function whyRest({ estimatedUsdPerMonth, costUsdPerMonth, checks }: Finding, rest: number): string {
  if (checks.some(({ check }) => check === COUNTED_THERE))
    return 'Already counted in other recommendations for this object'
  const isAllItCosts = costUsdPerMonth !== null && Math.abs(costUsdPerMonth - estimatedUsdPerMonth) < SEEN_USD_MIN
  return rest < 0 && isAllItCosts ? 'Capped at the cost of the object' : 'Other adjustments'
}
