import { compare } from '../apportion.ts'
import { count } from '../count.ts'
import { groupBy } from '../group-by.ts'
import type { Draft } from './draft.ts'
import type { PlanItem } from './plan.ts'

const NAMED_MAX = 2

/**
 * The action in the imperative, with the objects by name. A step with one recommendation has the title of that
 * recommendation.
 */
export function titleOf({ kind, items, nodes }: Pick<Draft, 'kind' | 'items' | 'nodes'>): string {
  const [first, ...others] = items
  if (first && others.length === 0 && kind !== 'rest' && nodes.length <= 1) return first.title
  switch (kind) {
    case 'protect':
      return `Raise requests or limits of ${count(items.length, 'container')}${inNamespaces(items)}`
    case 'remove':
      return `Remove ${listNouns(items)}`
    case 'drain':
      return nodes.length === 1
        ? `Drain node ${nodes[0]?.name ?? ''}: its pods fit on other nodes`
        : `Drain ${count(nodes.length, 'node')}: their pods fit on other nodes`
    case 'free':
      return `${verbOf(items)}${inNamespaces(items)}`
    case 'switch':
      return `Switch instance types of ${count(items.length, 'object')}`
    case 'rest':
      return items.every(isLowered)
        ? `Lower ${count(items.length, 'more request')}`
        : `Apply ${count(items.length, 'more change')}`
  }
}

function verbOf(items: readonly PlanItem[]): string {
  return items.every(isLowered) ? `Lower ${count(items.length, 'request')}` : `Apply ${count(items.length, 'change')}`
}

const isLowered = ({ changes }: PlanItem) => changes.length > 0 && changes.every(({ kind }) => kind === 'resize')

function inNamespaces(items: readonly PlanItem[]): string {
  const names = [...new Set(items.map(({ namespace }) => namespace).filter((name) => name !== ''))].sort(compare)
  if (names.length === 0) return ''
  if (names.length <= NAMED_MAX) return ` in ${names.join(' and ')}`
  return ` in ${names.slice(0, NAMED_MAX).join(', ')} and ${count(names.length - NAMED_MAX, 'more namespace')}`
}

function listNouns(items: readonly PlanItem[]): string {
  const nouns = [...groupBy(items, ({ noun: [one] }) => one)]
    .sort(([a], [b]) => compare(a, b))
    .map(([one, own]) => count(own.length, one, own[0]?.noun[1]))
  const last = nouns.at(-1) ?? ''
  return nouns.length <= 1 ? last : `${nouns.slice(0, -1).join(', ')} and ${last}`
}
