import { apportion } from '../apportion.ts'
import { ONE, type Decimal } from '../decimal.ts'
import type { Draft } from './draft.ts'
import type { PlanItem } from './plan.ts'

const CENT: Decimal = ONE / 100n

/**
 * The share of each member; the shares add up to the savings of the step. A member with its own price, or one that
 * names a node, keeps that amount. The rest is split by estimate, in whole cents; fractions of a cent go to the
 * member with the largest estimate.
 */
export function sharesOf({
  items,
  nodes,
  usdPerMonth,
}: Pick<Draft, 'items' | 'nodes' | 'usdPerMonth'>): Map<string, Decimal> {
  const shares = new Map(items.map((item) => [item.key, ownOf(item, nodes)]))
  const left = usdPerMonth - [...shares.values()].reduce((sum, usd) => sum + usd, 0n)
  if (left === 0n || items.length === 0) return shares
  const among = items.filter(({ changes, role }) => changes.length > 0 || role === 'unblock')
  for (const [key, usd] of split(left, among.length > 0 ? among : items)) shares.set(key, (shares.get(key) ?? 0n) + usd)
  return shares
}

function ownOf({ role, ownUsdPerMonth, nodes: named }: PlanItem, nodes: Draft['nodes']): Decimal {
  if (role === 'remove' || role === 'switch') return ownUsdPerMonth
  if (role !== 'drain') return 0n
  return nodes.reduce((sum, { name, usdPerMonth }) => (named.includes(name) ? sum + usdPerMonth : sum), 0n)
}

function split(usd: Decimal, items: readonly PlanItem[]): Map<string, Decimal> {
  const sign = usd < 0n ? -1n : 1n
  const cents = (usd * sign) / CENT
  const among = items.map(({ key, estimatedUsdPerMonth }) => ({ key, weight: weightOf(estimatedUsdPerMonth * sign) }))
  const parts = new Map([...apportion(cents, among)].map(([key, part]) => [key, part * CENT * sign]))
  const [largest] = among.toSorted((a, b) =>
    a.weight === b.weight ? (a.key < b.key ? -1 : 1) : a.weight > b.weight ? -1 : 1,
  )
  if (largest) parts.set(largest.key, (parts.get(largest.key) ?? 0n) + usd - cents * CENT * sign)
  return parts
}

const weightOf = (estimate: Decimal) => (estimate > 0n ? estimate : 0n)
