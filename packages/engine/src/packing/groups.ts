import type { PackingCluster, PackingNode, PodConstraints, SpreadConstraint } from './cluster.ts'
import type { Demand } from './demands.ts'
import type { Labels } from './label-selector.ts'
import { matchesNode, namesNodes, nodeKeysOf } from './node-affinity.ts'
import type { NodeClasses } from './node-classes.ts'
import type { Company } from './pod-affinity.ts'
import type { Tally } from './tally.ts'
import { append, Targets } from './targets.ts'
import { findUntolerated } from './taints.ts'
import type { Topology } from './topology.ts'
import type { SpreadGroup } from './topology-spread.ts'

/** Pods that others avoid by anti-affinity, and the pods that avoid them, by domain. */
type Apart = { readonly topology: Topology; readonly wanted: Tally; readonly owners: Tally; readonly target: number }
type Together = Company & { readonly targets: readonly number[] }

export type Setting = {
  readonly cluster: PackingCluster
  readonly nodes: readonly PackingNode[]
  readonly classes: NodeClasses
  readonly topologies: ReadonlyMap<string, Topology>
}

/** The groups of pods in affinity, anti-affinity and spread terms; equal groups are shared. */
export class Groups {
  readonly #setting: Setting
  readonly #targets: Targets
  readonly #apart = new Map<string, Apart>()
  readonly #together = new Map<string, Together>()
  readonly #spread = new Map<string, SpreadGroup>()
  readonly #apartByTarget = new Map<number, Apart[]>()
  readonly #togetherByTarget = new Map<number, Together[]>()
  readonly #spreadByTarget = new Map<number, SpreadGroup[]>()

  constructor(setting: Setting) {
    this.#setting = setting
    this.#targets = new Targets(setting.cluster.namespaces)
  }

  add(namespace: string, constraints: PodConstraints): void {
    this.#apartOf(namespace, constraints)
    this.#togetherOf(namespace, constraints)
    constraints.spread?.forEach((each) => this.#spreadOf(namespace, constraints, each))
  }

  /** The targets that a pod belongs to; input of the other two methods. */
  targetsOf(namespace: string, labels: Labels): ReadonlySet<number> {
    return new Set(this.#targets.listMatching(namespace, labels))
  }

  demandsOf(namespace: string, own: ReadonlySet<number>, constraints: PodConstraints): Demand[] {
    const apart = [
      ...this.#apartOf(namespace, constraints).map(({ topology, wanted }) => ({ topology, tally: wanted })),
      ...this.#listApart(own).map(({ topology, owners }) => ({ topology, tally: owners })),
    ]
    return [
      ...apart.map((each): Demand => ({ filter: 'pod-anti-affinity', ...each })),
      ...this.#affinityDemands(this.#togetherOf(namespace, constraints), own),
      ...(constraints.spread ?? []).map((each) => this.#spreadDemand(namespace, constraints, each, own)),
    ]
  }

  /** The tallies that a placed pod counts in: avoided, avoiding, affinity target, spread. */
  countedOf(namespace: string, own: ReadonlySet<number>, constraints: PodConstraints) {
    const together = [...own].flatMap((target) => this.#togetherByTarget.get(target) ?? [])
    return {
      wanted: this.#listApart(own),
      owning: this.#apartOf(namespace, constraints),
      together: [...new Set(together)].filter(({ targets }) => targets.every((target) => own.has(target))),
      spread: [...own].flatMap((target) => this.#spreadByTarget.get(target) ?? []),
    }
  }

  #listApart(own: ReadonlySet<number>): Apart[] {
    return [...own].flatMap((target) => this.#apartByTarget.get(target) ?? [])
  }

  #apartOf(namespace: string, { podAntiAffinity = [] }: PodConstraints): Apart[] {
    return podAntiAffinity.flatMap((term) => {
      const target = this.#targets.idOf(term, namespace)
      if (target === undefined) return []
      const key = `${target} ${term.topologyKey}`
      const known = this.#apart.get(key)
      if (known) return [known]
      const group = { topology: this.#topology(term.topologyKey), wanted: new Map(), owners: new Map(), target }
      this.#apart.set(key, group)
      append(this.#apartByTarget, target, group)
      return [group]
    })
  }

  #togetherOf(namespace: string, { podAffinity = [] }: PodConstraints): Together | undefined {
    if (podAffinity.length === 0) return undefined
    const targets = podAffinity.map((term) => this.#targets.idOf(term, namespace) ?? NO_TARGET)
    const key = podAffinity.map(({ topologyKey }, index) => `${targets[index]} ${topologyKey}`).join(' ')
    const known = this.#together.get(key)
    if (known) return known
    const topologies = podAffinity.map(({ topologyKey }) => this.#topology(topologyKey))
    const group = { targets, topologies, tallies: topologies.map((): Tally => new Map()) }
    this.#together.set(key, group)
    append(this.#togetherByTarget, targets[0] ?? NO_TARGET, group)
    return group
  }

  #affinityDemands(company: Together | undefined, own: ReadonlySet<number>): Demand[] {
    if (!company) return []
    const isOneItself = company.targets.every((target) => own.has(target))
    return company.topologies.map((topology, term) => ({
      filter: 'pod-affinity',
      company,
      term,
      isOneItself,
      topology,
    }))
  }

  #spreadDemand(
    namespace: string,
    constraints: PodConstraints,
    constraint: SpreadConstraint,
    own: ReadonlySet<number>,
  ): Demand {
    const group = this.#spreadOf(namespace, constraints, constraint)
    const { selector, maxSkew, minDomains = 1 } = constraint
    const counts = selector && own.has(this.#targets.idOf({ selector }, namespace) ?? NO_TARGET)
    return {
      filter: 'topology-spread',
      topology: group.topology,
      rule: { group, maxSkew, minDomains, own: counts ? 1 : 0 },
    }
  }

  #spreadOf(namespace: string, constraints: PodConstraints, constraint: SpreadConstraint): SpreadGroup {
    const { topologyKey, selector, nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' } = constraint
    const target = selector ? this.#targets.idOf({ selector }, namespace) : undefined
    const wishes = nodeAffinityPolicy === 'Honor' ? pickWishes(constraints) : {}
    const tolerations = nodeTaintsPolicy === 'Honor' ? (constraints.tolerations ?? []) : undefined
    // A node counts only if it has the labels of all constraints of the pod.
    const keys = (constraints.spread ?? []).map((each) => each.topologyKey)
    const key = JSON.stringify([target ?? null, topologyKey, keys, wishes, tolerations ?? null])
    const known = this.#spread.get(key)
    if (known) return known

    const isCounted = (node: PackingNode) =>
      keys.every((each) => each in node.labels) &&
      matchesNode(wishes, node) &&
      (tolerations === undefined || !findUntolerated(node.taints, tolerations))
    const group: SpreadGroup = {
      topology: this.#topology(topologyKey),
      tally: new Map(),
      counts: this.#flags(wishes, isCounted),
      least: { stamp: -1, count: 0, domains: 0 },
    }
    this.#spread.set(key, group)
    if (target !== undefined) append(this.#spreadByTarget, target, group)
    return group
  }

  #flags(wishes: PodConstraints, isCounted: (node: PackingNode) => boolean): SpreadGroup['counts'] {
    const { nodes, classes, topologies } = this.#setting
    const flag = (node: PackingNode | undefined) => (node && isCounted(node) ? 1 : 0)
    const isNarrow = namesNodes(wishes) || nodeKeysOf(wishes).some((key) => topologies.get(key)?.single)
    if (isNarrow) return { by: 'node', flags: Uint8Array.from(nodes, flag) }
    return { by: 'class', flags: Uint8Array.from(classes.all, ({ first }) => flag(nodes[first])) }
  }

  #topology(key: string): Topology {
    const topology = this.#setting.topologies.get(key)
    if (!topology) throw new Error(`the topology '${key}' was not listed`)
    return topology
  }
}

/** Stands for a term without a selector, which no pod matches. */
const NO_TARGET = -1

function pickWishes({ nodeSelector, nodeAffinity }: PodConstraints): PodConstraints {
  return { ...(nodeSelector ? { nodeSelector } : {}), ...(nodeAffinity ? { nodeAffinity } : {}) }
}
