import type { NodeClasses } from './node-classes.ts'
import type { Tally } from './tally.ts'
import type { Topology } from './topology.ts'

/** Pods to spread, and the nodes that count. */
export type SpreadGroup = {
  readonly topology: Topology
  readonly tally: Tally
  /** By class whether its nodes count; by node if the constraints of the pod distinguish nodes of one class. */
  readonly counts: { readonly by: 'class' | 'node'; readonly flags: Uint8Array }
  /** The last result of `leastCrowded`, and the stamp that it is valid for; -1: the tally changed since. */
  least: { stamp: number; count: number; domains: number }
}

export type SpreadRule = {
  readonly group: SpreadGroup
  readonly maxSkew: number
  readonly minDomains: number
  /** Whether the pod matches its own constraint. */
  readonly own: 0 | 1
}

type Present = {
  readonly classes: NodeClasses
  readonly live: Int32Array
  readonly gone: Uint8Array
  readonly stamp: number
}

export function staysEven({ group, maxSkew, minDomains, own }: SpreadRule, present: Present, node: number): boolean {
  const domain = group.topology.domainOf[node] ?? -1
  if (domain < 0) return false
  const { count, domains } = leastCrowded(group, present)
  const least = domains < minDomains ? 0 : count
  return (group.tally.get(domain) ?? 0) + own - least <= maxSkew
}

export function isCounted({ counts }: SpreadGroup, { of }: NodeClasses, node: number): boolean {
  return counts.flags[counts.by === 'node' ? node : (of[node] ?? 0)] === 1
}

function leastCrowded(group: SpreadGroup, present: Present): SpreadGroup['least'] {
  if (group.least.stamp === present.stamp) return group.least
  const domains = group.topology.single && group.counts.by === 'class' ? countSingle(group, present) : undefined
  const found = domains === undefined ? scan(group, present) : ofSingle(group.tally, domains)
  return (group.least = { stamp: present.stamp, ...found })
}

function countSingle({ counts }: SpreadGroup, { live }: Present): number {
  let sum = 0
  for (let id = 0; id < live.length; id += 1) if (counts.flags[id] === 1) sum += live[id] ?? 0
  return sum
}

/** If every node is a domain, fewer pods than nodes leave an empty domain. */
function ofSingle(tally: Tally, domains: number) {
  let count = tally.size < domains ? 0 : Infinity
  if (count > 0) for (const each of tally.values()) count = Math.min(count, each)
  return { domains, count: count === Infinity ? 0 : count }
}

function scan(group: SpreadGroup, { classes, live, gone }: Present) {
  const seen = new Set<number>()
  let count = Infinity
  const look = (node: number) => {
    const domain = group.topology.domainOf[node] ?? -1
    seen.add(domain)
    count = Math.min(count, group.tally.get(domain) ?? 0)
  }
  if (group.counts.by === 'class') {
    classes.all.forEach(({ first }, id) => {
      if (group.counts.flags[id] === 1 && (live[id] ?? 0) > 0) look(first)
    })
  } else {
    gone.forEach((isGone, node) => {
      if (isGone === 0 && group.counts.flags[node] === 1) look(node)
    })
  }
  return { domains: seen.size, count: seen.size === 0 ? 0 : count }
}
