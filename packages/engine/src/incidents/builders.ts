import type { Decimal } from '../decimal.ts'
import { usd } from '../forecast/builders.ts'
import type { Evaluation } from './incident.ts'
import { partsAbove, partTree, type PartTree } from './part-tree.ts'
import type { PartScore } from './score.ts'

/** One cluster; namespaces `shop` and `data`; teams `blue` and `red` across the namespaces. */
export const someTree = (): PartTree =>
  partTree([
    { key: 'all', level: 'installation', parents: [] },
    { key: 'prod', level: 'cluster', parents: ['all'] },
    { key: 'idle', level: 'idle', parents: ['prod'] },
    { key: 'blue', level: 'team', parents: ['all'] },
    { key: 'red', level: 'team', parents: ['all'] },
    { key: 'shop', level: 'namespace', parents: ['prod'] },
    { key: 'data', level: 'namespace', parents: ['prod'] },
    { key: 'web', level: 'workload', parents: ['shop', 'blue'] },
    { key: 'cart', level: 'workload', parents: ['shop', 'red'] },
    { key: 'etl', level: 'workload', parents: ['data', 'red'] },
    { key: 'db', level: 'workload', parents: ['data', 'blue'] },
  ])

export const LOWEST = ['web', 'cart', 'etl', 'db', 'idle'] as const

/** The excess of the lowest parts, summed up to the parts above. */
export function scoresFrom(tree: PartTree, lowest: Readonly<Record<string, Decimal>>): Map<string, PartScore> {
  const sums = new Map([...tree.parts.keys()].map((key): [string, Decimal] => [key, 0n]))
  for (const [key, excess] of Object.entries(lowest)) {
    for (const each of [key, ...partsAbove(tree, key)]) sums.set(each, (sums.get(each) ?? 0n) + excess)
  }
  return new Map([...sums].map(([key, excess]) => [key, { excess, isComplete: true, isFitted: true }]))
}

export const THRESHOLD = usd(100)

/** An hour with the excess of the lowest parts in USD. */
export const anHour = (
  hour: number,
  lowest: Readonly<Record<string, number>>,
  others: Partial<Evaluation> = {},
): Evaluation => ({
  hour,
  threshold: THRESHOLD,
  scores: scoresFrom(someTree(), Object.fromEntries(Object.entries(lowest).map(([key, each]) => [key, usd(each)]))),
  ...others,
})
