import { compare } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { usdFor, type NodeRates } from '../pricing/rate.ts'
import { isMeasured, RESOURCES, type Resource } from '../units.ts'
import { usageCoverage, type Coverage } from './usage-coverage.ts'
import { unpricedShare, type UnpricedShare } from './unpriced-share.ts'

/** Paid for and used; reserved and not used; paid for and nobody asked. */
export type CostClasses = {
  readonly workload: Decimal
  readonly workloadIdle: Decimal
  readonly clusterIdle: Decimal
  /** The part of `workload` that is charged by request alone, and of which nobody measures the use. */
  readonly unmeasured: Decimal
}

/** Unit-seconds of a node under one set of rates. */
export type NodeQuantities = {
  readonly node: string
  readonly rates: NodeRates
  readonly use: Readonly<Record<Resource, { capacity: bigint; alloc: bigint; used: bigint; systemReserved: bigint }>>
}

/** The same unit-seconds seen from the other side: what a namespace was allocated on nodes of one set of rates. */
export type NamespaceQuantities = {
  readonly namespace: string
  readonly rates: NodeRates
  readonly use: Readonly<Record<Resource, { alloc: bigint; used: bigint; seconds: bigint; knownSeconds: bigint }>>
}

export type IdleBreakdown = {
  readonly total: Decimal
  readonly classes: CostClasses
  readonly byResource: Readonly<Record<Resource, CostClasses>>
  readonly byNode: readonly ({ readonly node: string } & CostClasses)[]
  readonly byNamespace: readonly ({ readonly namespace: string } & CostClasses)[]
  /** A part of `clusterIdle`. */
  readonly systemReserved: Decimal
  readonly usageCoverage: Readonly<Record<Resource, Coverage>>
  readonly unpriced: Readonly<Record<Resource, UnpricedShare>>
}

/** The namespace of what belongs to nobody. */
export const IDLE_NAMESPACE = '__idle__'

export function idleBreakdown(
  nodes: readonly NodeQuantities[],
  namespaces: readonly NamespaceQuantities[],
): IdleBreakdown {
  const sumOf = (resources: readonly Resource[]) =>
    nodes.flatMap((node) => resources.map((resource) => nodeClasses(node, resource))).reduce(addClasses, NO_CLASSES)
  const classes = sumOf(RESOURCES)
  const idle = { namespace: IDLE_NAMESPACE, ...NO_CLASSES, clusterIdle: classes.clusterIdle }

  return {
    total: classes.workload + classes.workloadIdle + classes.clusterIdle,
    classes,
    byResource: { cpu: sumOf(['cpu']), memory: sumOf(['memory']), gpu: sumOf(['gpu']) },
    byNode: sumBy(nodes, ({ node }) => node, nodeClasses).map(([node, sum]) => ({ node, ...sum })),
    byNamespace: [
      ...sumBy(namespaces, ({ namespace }) => namespace, namespaceClasses).map(([name, sum]) => ({
        namespace: name,
        ...sum,
      })),
      idle,
    ],
    systemReserved: nodes.reduce((sum, node) => sum + reservedUsd(node), 0n),
    usageCoverage: usageCoverage(namespaces),
    unpriced: unpricedShare(nodes),
  }
}

export const NO_CLASSES: CostClasses = { workload: 0n, workloadIdle: 0n, clusterIdle: 0n, unmeasured: 0n }

function nodeClasses({ rates, use }: NodeQuantities, resource: Resource): CostClasses {
  const { capacity, alloc, used } = use[resource]
  const usd = (unitSeconds: bigint) => usdFor(unitSeconds, rates[resource])
  return { ...classesOf(resource, usd(used), usd(alloc - used)), clusterIdle: usd(capacity - alloc) }
}

function namespaceClasses({ rates, use }: NamespaceQuantities, resource: Resource): CostClasses {
  const { alloc, used } = use[resource]
  const usd = (unitSeconds: bigint) => usdFor(unitSeconds, rates[resource])
  return classesOf(resource, usd(used), usd(alloc - used))
}

const classesOf = (resource: Resource, workload: Decimal, workloadIdle: Decimal): CostClasses => ({
  workload,
  workloadIdle,
  clusterIdle: 0n,
  unmeasured: isMeasured(resource) ? 0n : workload,
})

function reservedUsd({ rates, use }: NodeQuantities): Decimal {
  return RESOURCES.reduce((sum, resource) => sum + usdFor(use[resource].systemReserved, rates[resource]), 0n)
}

export function addClasses(a: CostClasses, b: CostClasses): CostClasses {
  return {
    workload: a.workload + b.workload,
    workloadIdle: a.workloadIdle + b.workloadIdle,
    clusterIdle: a.clusterIdle + b.clusterIdle,
    unmeasured: a.unmeasured + b.unmeasured,
  }
}

function sumBy<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
  classesOf: (item: Item, resource: Resource) => CostClasses,
): [string, CostClasses][] {
  const sums = new Map<string, CostClasses>()
  for (const item of items) {
    const own = RESOURCES.map((resource) => classesOf(item, resource)).reduce(addClasses, NO_CLASSES)
    sums.set(nameOf(item), addClasses(sums.get(nameOf(item)) ?? NO_CLASSES, own))
  }
  return [...sums].sort(([a], [b]) => compare(a, b))
}
