import { compare } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { usdFor, type Rate } from '../pricing/rate.ts'
import { RESOURCES, type Resource } from '../units.ts'
import type { NamespaceQuantities, NodeQuantities, NamespaceUseQuantities } from './idle-quantities.ts'
import { usageCoverage, type Coverage } from './usage-coverage.ts'
import { unpricedShare, type UnpricedShare } from './unpriced-share.ts'

/** Used; requested but unused; unallocated. */
export type CostClasses = {
  readonly workload: Decimal
  readonly workloadIdle: Decimal
  readonly clusterIdle: Decimal
  /**
   * The part of `workload` without usage data: gaps in the metrics, and unmeasured resources. Neither used nor idle.
   */
  readonly unmeasured: Decimal
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

/** The namespace of costs without an owner. */
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
  const { capacity, alloc } = use[resource]
  return { ...tenantClasses(use[resource], rates[resource]), clusterIdle: usdFor(capacity - alloc, rates[resource]) }
}

function namespaceClasses({ rates, use }: NamespaceQuantities, resource: Resource): CostClasses {
  return tenantClasses(use[resource], rates[resource])
}

const tenantClasses = (
  { alloc, used, unmeasured }: Pick<NamespaceUseQuantities, 'alloc' | 'used' | 'unmeasured'>,
  rate: Rate,
): CostClasses => ({
  workload: usdFor(used, rate),
  workloadIdle: usdFor(alloc - used, rate),
  clusterIdle: 0n,
  unmeasured: usdFor(unmeasured, rate),
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
