import { HOURS_PER_MONTH, MICROCORES_PER_MILLICORE, PARTS_PER_WHOLE, SECONDS_PER_HOUR } from '@plimsoll/engine'
import type {
  ClusterFacts,
  ContainerFacts,
  FactName,
  Policies,
  VolumeFacts,
  WorkloadFacts,
  WorkloadPrice,
} from '@plimsoll/engine/rules'
import type { ClassRate } from '../prices/class-rate.ts'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'
import { balancersOf, volumesOf } from './cloud-resource-facts.ts'
import { controlPlaneOf } from './control-plane-facts.ts'
import type { History } from './history.ts'
import { imageChanges } from './image-changes.ts'
import { largestNodeOf } from './largest-node.ts'
import { newestOf, podsByWorkload } from './living-pods.ts'
import { namespacesOf } from './namespace-facts.ts'
import { nodesOf, poolFactsOf, type Packed } from './node-facts.ts'
import { cronJobsOf, surroundings, watchedFacts, type SurroundingsOf } from './object-facts.ts'
import { namespaceLabels } from './packing-of.ts'
import { placements } from './placement-facts.ts'
import { priceRowOf } from '../prices/price-row.ts'
import type { Pricing } from '../prices/pricing.ts'

const secondsPerMonth = HOURS_PER_MONTH * SECONDS_PER_HOUR

export type Around = {
  costUsdPerMonth: number | null
  /** By node class. */
  rates: ReadonlyMap<string, ClassRate>
  pricing: Pricing
  history: History
  policies: Policies
}

/** The input of the rules, from the newest snapshot. Data that no table holds yet is marked as unknown. */
export function factsOf(state: FoldState, around: Around, packed?: Packed): ClusterFacts {
  const { watermark } = state
  const { costUsdPerMonth, rates, policies, pricing, history } = around
  const of = {
    surroundings: surroundings(state, history),
    placement: placements(state, rates, pricing),
    namespaceLabels: new Map(Object.entries(namespaceLabels(state))),
    imageChangedAt: imageChanges(state),
  }
  const workloads = [...podsByWorkload(state).values()].flatMap((pods) => {
    const placed = pods.filter(({ node }) => node !== undefined)
    return placed.length === 0 ? [] : workloadOf(placed, rates, of)
  })
  const volumes = volumesOf(state, pricing, history)
  const balancers = balancersOf(state, pricing, history)
  return {
    observedAt: watermark,
    costUsdPerMonth,
    known: new Set(knownFacts(state, { workloads, volumes, rates, hasPacking: packed !== undefined })),
    usageSource: state.agent?.usage_source ?? 'none',
    workloads,
    volumes,
    balancers,
    hoursKnown: history.hoursKnown,
    nodes: nodesOf(state, rates, pricing, packed),
    pools: packed ? poolFactsOf(state, { rates, pricing, packed, history }) : [],
    namespaces: namespacesOf(state, history, { workloads, volumes, balancers }),
    cronJobs: cronJobsOf(state, history, of.namespaceLabels),
    controlPlane: controlPlaneOf(state, pricing),
    largestNode: largestNodeOf(state),
    policies,
  }
}

type Found = {
  workloads: readonly WorkloadFacts[]
  volumes: readonly VolumeFacts[]
  rates: Around['rates']
  hasPacking: boolean
}

/** Every agent reports pods, nodes, volumes and load balancers. Other kinds are known if the agent watches them. */
function knownFacts(state: FoldState, { workloads, volumes, rates, hasPacking }: Found): FactName[] {
  const always = ['pods', 'pod_phases', 'nodes', 'volumes', 'balancers', 'storage_prices', 'balancer_prices'] as const
  const hasSpot = workloads.some(({ placement }) => placement.spotDiscount !== null)
  return [
    ...always,
    ...(rates.size > 0 ? (['prices'] as const) : []),
    ...watchedFacts(state),
    ...(hasPacking ? (['node_types'] as const) : []),
    ...(hasSpot ? (['spot_prices'] as const) : []),
    ...(volumes.some(({ usedKib }) => usedKib !== null) ? (['volume_use'] as const) : []),
    ...(state.agent ? (['kubernetes_version'] as const) : []),
  ]
}

type Of = {
  surroundings: SurroundingsOf
  placement: ReturnType<typeof placements>
  /** Labels of the namespace apply to its workloads, unless the workload sets the same label. */
  namespaceLabels: ReadonlyMap<string, WorkloadFacts['labels']>
  imageChangedAt: ReturnType<typeof imageChanges>
}

function workloadOf(pods: readonly PodRecord[], rates: Around['rates'], of: Of): WorkloadFacts[] {
  const newest = newestOf(pods)
  const shape = newest?.versions.at(-1)?.facts.shape
  if (!newest || !shape) return []
  const { namespace, workloadKind: kind, workloadName: name } = newest
  const { labels, heaps, images, managedBy, ...around } = of.surroundings(namespace, kind, name, newest.labels)
  return [
    {
      namespace,
      kind,
      name,
      podName: newest.name,
      replicas: pods.length,
      labels: { ...of.namespaceLabels.get(namespace), ...labels, ...newest.labels },
      containers: shape.containers.map((each) => ({
        ...requestsOf(each),
        ...imageOf(images.get(each.name)),
        heapMaxKib: heaps.get(each.name) ?? null,
        imageChangedAt: of.imageChangedAt(newest, each),
        managedBy: managedBy(each.name),
      })),
      stuckPods: pods.flatMap(stuckOf),
      price: priceOf(pods, rates),
      ...around,
      placement: of.placement(pods),
      admittingCapacity: null,
      gpu: gpuOf(pods, rates),
    },
  ]
}

const imageOf = (image: string | undefined) => (image === undefined ? {} : { image })

type Shape = NonNullable<PodRecord['versions'][number]>['facts']['shape']['containers'][number]

const requestsOf = (container: Shape): Omit<ContainerFacts, 'heapMaxKib' | 'imageChangedAt' | 'managedBy'> => ({
  name: container.name,
  kind: container.kind,
  cpuRequestMillicores: container.cpu_request ?? null,
  memoryRequestKib: container.memory_request ?? null,
  cpuLimitMillicores: container.cpu_limit ?? null,
  memoryLimitKib: container.memory_limit ?? null,
  usage: null,
  decision: null,
  standing: null,
  oomKills: 0,
  throttling: null,
})

function stuckOf(pod: PodRecord): WorkloadFacts['stuckPods'][number][] {
  const version = pod.versions.at(-1)
  if (version?.facts.phase !== 'pending') return []
  const sum = (of: 'cpu' | 'memory') =>
    version.request.containers.reduce((total, { request }) => total + request[of], version.request.pod[of])
  return [
    {
      name: pod.name,
      since: pod.boundAt,
      cpuMillicores: sum('cpu') / MICROCORES_PER_MILLICORE,
      memoryKib: sum('memory'),
    },
  ]
}

/** The GPUs that its pods hold, and their cost. A slice counts as a part of a GPU. */
function gpuOf(pods: readonly PodRecord[], rates: Around['rates']): WorkloadFacts['gpu'] {
  const held = pods.flatMap(({ versions, node }) => {
    const containers = versions.at(-1)?.request.containers ?? []
    const parts = containers.reduce((sum, { request }) => sum + request.gpu, 0)
    return parts > 0 ? [{ parts, usd: rates.get(node?.versions.at(-1)?.class.key ?? '')?.gpuUsd ?? null }] : []
  })
  if (held.length === 0) return null
  const isPriced = held.every(({ usd }) => usd !== null)
  return {
    count: Number((held.reduce((sum, { parts }) => sum + parts, 0) / PARTS_PER_WHOLE).toFixed(2)),
    usdPerMonth: isPriced ? held.reduce((sum, { parts, usd }) => sum + parts * (usd ?? 0), 0) * secondsPerMonth : null,
  }
}

/** The mean over its pods; null when no pod runs on a priced node. */
function priceOf(pods: readonly PodRecord[], rates: Around['rates']): WorkloadPrice | null {
  const classes = pods.map((pod) => pod.node?.versions.at(-1)?.class.key ?? '')
  const priced = classes.flatMap((key) => {
    const rate = rates.get(key)
    return rate ? [{ key, rate }] : []
  })
  const perUnitMonth = priced.flatMap(({ rate }) =>
    rate.cpuUsd === null || rate.memoryUsd === null
      ? []
      : [{ cpu: rate.cpuUsd * MICROCORES_PER_MILLICORE * secondsPerMonth, memory: rate.memoryUsd * secondsPerMonth }],
  )
  if (perUnitMonth.length === 0) return null
  const mean = (of: 'cpu' | 'memory') => perUnitMonth.reduce((sum, each) => sum + each[of], 0) / perUnitMonth.length
  const rows = new Map(priced.map(({ key, rate }) => [rate.rateId, priceRowOf(key, rate)]))
  return { cpuUsdPerMillicoreMonth: mean('cpu'), memoryUsdPerKibMonth: mean('memory'), rows: [...rows.values()] }
}
