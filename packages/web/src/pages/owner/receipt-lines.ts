import type { Explanation } from '@plimsoll/contract'
import { rateDollars } from '../../format/money.ts'
import { fourDigits } from '../../format/quantity.ts'

export type ReceiptLine = {
  key: string
  resource: string
  className: string
  quantity: string
  price: string
  usd: number
  /** With all digits, for the CSV file. */
  exact: { quantity: string; price: string; usd: string }
}

/** The unit in which people read a resource, in units of the API times seconds. */
const units: Record<string, { word: string; per: string; size: number }> = {
  'microcore-seconds': { word: 'vCPU-hours', per: 'vCPU-hour', size: 1e6 * 3600 },
  'KiB-seconds': { word: 'GiB-hours', per: 'GiB-hour', size: 2 ** 20 * 3600 },
}

/** A whole GPU, load balancer or control plane, in parts. */
const partsPerWhole = 5_040_000
const ofParts = ' part-seconds'

function unitOf(unit: string) {
  if (!unit.endsWith(ofParts)) return units[unit] ?? { word: unit, per: unit.replace(/s$/, ''), size: 1 }
  const per = `${unit.slice(0, -ofParts.length)}-hour`
  return { word: `${per}s`, per, size: partsPerWhole * 3600 }
}

const resourceWords: Record<string, string> = {
  cpu: 'CPU',
  memory: 'Memory',
  gpu: 'GPU',
  storage: 'Storage',
  load_balancer: 'Load balancers',
  overhead: 'Fees',
}

export function receiptLines({ parts }: Pick<Explanation, 'parts'>): ReceiptLine[] {
  return parts.map(({ resource, unit, quantity, rate, exact_amount: amount }) => {
    const known = unitOf(unit)
    const perUnit = rate.usd_per_unit_second === null ? null : Number(rate.usd_per_unit_second) * known.size
    return {
      key: `${resource} ${rate.id}`,
      resource: resourceWords[resource] ?? resource,
      className: classText(rate.class),
      quantity: `${fourDigits(Number(quantity) / known.size)} ${known.word}`,
      price: perUnit === null ? 'not priced' : `× ${rateDollars(perUnit)} per ${known.per}`,
      usd: Number(amount),
      exact: {
        quantity: `${Number(quantity) / known.size} ${known.word}`,
        price: perUnit === null ? 'not priced' : `${perUnit} per ${known.per}`,
        usd: amount,
      },
    }
  })
}

/** The instance type of a node class, or its kind. */
function classText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const query: unknown = 'query' in value ? value.query : value
  if (typeof query !== 'object' || query === null) return ''
  const words = ['instanceType', 'capacityType', 'region', 'kind'].flatMap((name) => {
    const word: unknown = (query as Record<string, unknown>)[name]
    return typeof word === 'string' && word !== '' ? [word] : []
  })
  return words.join(', ')
}
