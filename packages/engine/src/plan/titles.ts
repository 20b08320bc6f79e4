import { compare } from '../apportion.ts'
import { count } from '../count.ts'
import type { Decimal } from '../decimal.ts'
import { groupBy } from '../group-by.ts'
import type { Draft } from './draft.ts'
import type { PlanItem } from './plan.ts'

const NAMED_MAX = 2
/** Further kinds of changes are counted together. */
const KINDS_MAX = 4

/**
 * The action in the imperative, with the objects by name or number. A step with one recommendation has the title of
 * that recommendation. A step without open recommendations keeps its title.
 */
export function titleOf({ kind, items, nodes }: Pick<Draft, 'kind' | 'items' | 'nodes'>, previous?: string): string {
  const [first, ...others] = items
  if (!first) return previous ?? `Remove ${count(nodes.length, 'node')}`
  if (others.length === 0 && kind !== 'rest' && nodes.length <= 1) return first.title
  switch (kind) {
    case 'drain':
      return nodes.length === 1
        ? `Drain node ${nodes[0]?.name ?? ''}: its pods fit on other nodes`
        : `Drain ${count(nodes.length, 'node')}: their pods fit on other nodes`
    case 'protect':
    case 'free':
      return `${phraseOf(items)}${inNamespaces(items)}`
    case 'remove':
    case 'switch':
    case 'rest':
      return phraseOf(items)
  }
}

/** "Lower 14 requests and 2 HPA minimums, and remove 1 abandoned workload". The change with the most money comes first. */
function phraseOf(items: readonly PlanItem[]): string {
  const kinds = [...groupBy(items, ({ verb, noun: [one] }) => `${verb} ${one}`).values()].sort(byMoney)
  const shown = kinds.length > KINDS_MAX ? kinds.slice(0, KINDS_MAX - 1) : kinds
  const others = items.length - shown.reduce((sum, { length }) => sum + length, 0)
  const byVerb = groupBy(shown, ([first]) => first?.verb ?? '')
  const phrases = [...byVerb].map(
    ([verb, own], index) => `${index === 0 ? verb : uncapitalized(verb)} ${joined(own.map(counted))}`,
  )
  if (others > 0) phrases.push(`make ${count(others, 'other change')}`)
  return joined(phrases)
}

function byMoney(a: readonly PlanItem[], b: readonly PlanItem[]): number {
  const [left, right] = [usdOf(a), usdOf(b)]
  return left === right ? b.length - a.length || compare(nounOf(a), nounOf(b)) : left > right ? -1 : 1
}

const usdOf = (items: readonly PlanItem[]): Decimal =>
  items.reduce((sum, { estimatedUsdPerMonth: usd }) => sum + (usd < 0n ? -usd : usd), 0n)

const nounOf = ([first]: readonly PlanItem[]) => first?.noun[0] ?? ''

function counted(items: readonly PlanItem[]): string {
  const [one = '', many = ''] = items[0]?.noun ?? []
  return count(items.length, one, many)
}

const uncapitalized = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** A comma separates parts that contain "and" themselves. */
function joined(parts: readonly string[]): string {
  const last = parts.at(-1) ?? ''
  if (parts.length <= 1) return last
  const before = parts.slice(0, -1)
  const isNested = parts.some((part) => part.includes(' and '))
  return `${before.join(', ')}${isNested ? ', and ' : ' and '}${last}`
}

function inNamespaces(items: readonly PlanItem[]): string {
  const names = [...new Set(items.map(({ namespace }) => namespace).filter((name) => name !== ''))].sort(compare)
  if (names.length === 0) return ''
  if (names.length <= NAMED_MAX) return ` in ${names.join(' and ')}`
  return ` in ${names.slice(0, NAMED_MAX).join(', ')} and ${count(names.length - NAMED_MAX, 'more namespace')}`
}
