import { decimal, RESOURCES, roundToNumber, type Decimal, type Resource } from '@plimsoll/engine'
import type { PricedRow } from '../priced-rows.ts'
import type { Labels, Series } from './metric-text.ts'

const components = {
  cpu: 'cpu',
  memory: 'memory',
  gpu: 'gpu',
  storage: 'storage',
  loadBalancer: 'load_balancer',
} as const
type Component = keyof typeof components | 'overhead'

const componentName = (component: Component) => (component === 'overhead' ? component : components[component])

const money = { currency: 'USD' }

export const usdSeries = (labels: Labels, usd: Decimal): Series => ({
  labels: { ...labels, ...money },
  value: roundToNumber(usd, 9),
})

/** Adds up amounts with the same labels. */
export class SeriesSums {
  readonly #sums = new Map<string, { labels: Labels; usd: Decimal }>()

  add(labels: Labels, usd: Decimal): void {
    if (usd === 0n) return
    const key = Object.values(labels).join('\u0000')
    const sum = this.#sums.get(key)
    if (sum) sum.usd += usd
    else this.#sums.set(key, { labels, usd })
  }

  get series(): Series[] {
    return [...this.#sums.values()].map(({ labels, usd }) => usdSeries(labels, usd))
  }
}

const isResource = (component: Component): component is Resource => RESOURCES.some((each) => each === component)

/** Compute is split into used, and requested but unused; the other components have no class. */
export function addComponents(sums: SeriesSums, labels: Labels, { charges, usedBy }: PricedRow): void {
  for (const [name, charge] of Object.entries(charges) as [Component, { usd: Decimal }][]) {
    const component = componentName(name)
    if (!isResource(name) || usedBy === undefined) {
      sums.add({ ...labels, component, class: '' }, charge.usd)
      continue
    }
    const used = decimal(usedBy[name])
    sums.add({ ...labels, component, class: 'workload' }, used)
    sums.add({ ...labels, component, class: 'workload_idle' }, charge.usd - used)
  }
}

export const namespaceOf = ({ owner }: PricedRow) => (owner.kind === 'workload' ? owner.namespace : `__${owner.kind}__`)

/** The series of one cluster in its last finalised hour. */
export function clusterSeries(cluster: string, rows: readonly PricedRow[]) {
  const [namespaces, workloads, idle] = [new SeriesSums(), new SeriesSums(), new SeriesSums()]
  let total = 0n
  for (const row of rows) {
    for (const { usd } of Object.values(row.charges)) total += usd
    if (row.owner.kind === 'idle') {
      for (const resource of RESOURCES) idle.add({ cluster, component: resource }, row.charges[resource]?.usd ?? 0n)
      continue
    }
    addComponents(namespaces, { cluster, namespace: namespaceOf(row) }, row)
    if (row.owner.kind !== 'workload' || row.owner.workload === '') continue
    const { namespace, controllerKind, workload } = row.owner
    addComponents(workloads, { cluster, namespace, workload_kind: controllerKind, workload }, row)
  }
  return { namespaces: namespaces.series, workloads: workloads.series, idle: idle.series, total }
}

/** The share of container time with usage data; none without containers. */
export function coverageSeries(cluster: string, rows: readonly PricedRow[]): Series[] {
  const sum = (name: 'container_seconds' | 'cpu_known' | 'memory_known') =>
    rows.reduce((total, { quantities }) => total + BigInt(quantities?.[name] ?? 0), 0n)
  const seconds = sum('container_seconds')
  if (seconds === 0n) return []
  return (['cpu', 'memory'] as const).map((resource) => ({
    labels: { cluster, resource },
    value: Number(sum(`${resource}_known`)) / Number(seconds),
  }))
}
