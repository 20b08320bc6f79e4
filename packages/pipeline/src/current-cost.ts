import { HOURS_PER_MONTH, RESOURCES, SECONDS_PER_HOUR, type Resource } from '@plimsoll/engine'
import type { NodeRow, WorkloadRow } from './fold/hour-sums.ts'
import type { LiveFigures } from './fold/live-figures.ts'
import type { ClassRate } from './prices/class-rate.ts'
import {
  parseCloudResourceKey,
  type CloudResourceClass,
  type CloudResourceKind,
} from './prices/cloud-resource-class.ts'
import { cloudResourcePrice } from './prices/cloud-resource-rates.ts'
import { cloudResourceTermsInForce } from './prices/price-terms.ts'
import type { Pricing } from './prices/pricing.ts'

const unitsPerUsd = 1e24
const secondsPerMonth = SECONDS_PER_HOUR * HOURS_PER_MONTH

/** USD per month of the current nodes, volumes, load balancers and control plane. */
export type RunRate = {
  total: number
  compute: number
  storage: number
  loadBalancer: number
  overhead: number
  /** Nodes, volumes, load balancers and control planes without a price. The amounts do not include them. */
  unpriced: number
}

type Rates = ReadonlyMap<string, ClassRate>

/** As the server computes it for a cluster with less than a day of data. */
export function currentRunRate(figures: LiveFigures, rates: Rates, pricing: Pricing): RunRate {
  let unpriced = 0
  let compute = 0
  for (const [key, nodes] of figures.nodesByClass) {
    const usd = nodesUsdPerHour(rates.get(key), nodes, figures.podsByClass.get(key))
    if (usd === null) unpriced += nodes
    else compute += usd * HOURS_PER_MONTH
  }
  const parts: Record<CloudResourceKind, number> = { volume: 0, balancer: 0, control_plane: 0 }
  for (const [key, { kind, assets, units }] of figures.cloudResourcesByClass) {
    const facts = parseCloudResourceKey(key)
    const rate = facts && cloudResourcePrice(pricing.book, facts, overrideOf(pricing, facts)).rate
    if (rate?.kind !== 'priced') unpriced += assets
    else parts[kind] += (Number(rate.usdPerUnitSecond) / unitsPerUsd) * Number(units) * secondsPerMonth
  }
  const { volume: storage, balancer: loadBalancer, control_plane: overhead } = parts
  return { total: compute + storage + loadBalancer + overhead, compute, storage, loadBalancer, overhead, unpriced }
}

const overrideOf = ({ terms, hour }: Pricing, facts: CloudResourceClass) =>
  cloudResourceTermsInForce(terms, hour, facts).override

/** A serverless class has the price of its pods. */
function nodesUsdPerHour(
  rate: ClassRate | undefined,
  nodes: number,
  pods: { cpu: number; memory: number } | undefined,
): number | null {
  if (!rate) return null
  if (rate.nodeUsdPerHour !== null) return rate.nodeUsdPerHour * nodes
  if (!pods || rate.cpuUsd === null || rate.memoryUsd === null) return null
  return SECONDS_PER_HOUR * (pods.cpu * rate.cpuUsd + pods.memory * rate.memoryUsd)
}

/** USD per month of compute. Without usage data, the used part of the requests is unknown. */
export type RequestedCost = {
  requested: number
  unallocated: number
  /** Largest first. */
  byNamespace: { namespace: string; requested: number }[]
}

/** From the quantities of one hour in which nothing changes. */
export function requestedCost(
  hour: { nodes: readonly NodeRow[]; workloads: readonly WorkloadRow[] },
  rates: Rates,
): RequestedCost {
  const byNamespace = new Map<string, number>()
  for (const { namespace, classKey, use } of hour.workloads) {
    const usd = sumOf(rates.get(classKey), (resource) => use[resource].alloc)
    byNamespace.set(namespace, (byNamespace.get(namespace) ?? 0) + usd)
  }
  const ofNodes = (column: 'alloc' | 'capacity') =>
    hour.nodes.reduce((sum, { classKey, use }) => sum + sumOf(rates.get(classKey), (each) => use[each][column]), 0)
  const requested = ofNodes('alloc')
  return {
    requested,
    unallocated: ofNodes('capacity') - requested,
    byNamespace: [...byNamespace]
      .map(([namespace, usd]) => ({ namespace, requested: usd }))
      .sort((a, b) => b.requested - a.requested || (a.namespace < b.namespace ? -1 : 1)),
  }
}

function sumOf(rate: ClassRate | undefined, unitSeconds: (resource: Resource) => number): number {
  const usd: Record<Resource, number | null | undefined> = {
    cpu: rate?.cpuUsd,
    memory: rate?.memoryUsd,
    gpu: rate?.gpuUsd,
  }
  return RESOURCES.reduce((sum, resource) => sum + unitSeconds(resource) * (usd[resource] ?? 0), 0) * HOURS_PER_MONTH
}
