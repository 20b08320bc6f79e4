import {
  HOURS_PER_MONTH,
  KIB_PER_GIB,
  MICROCORES_PER_MILLICORE,
  SECONDS_PER_HOUR,
  type ClusterFacts,
  type ContainerFacts,
  type FactName,
  type Policies,
  type PriceRow,
  type VolumeFacts,
  type WorkloadFacts,
  type WorkloadPrice,
} from '@plimsoll/engine'
import type { ClassRate } from '../db/node-classes.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, type NodeRecord, type PodRecord } from '../fold/inventory.ts'
import { balancersOf, volumesOf } from './asset-facts.ts'
import { controlPlaneOf } from './control-plane-facts.ts'
import type { History } from './history.ts'
import { namespacesOf } from './namespace-facts.ts'
import { nodesOf, poolFactsOf, type Packed } from './node-facts.ts'
import { cronJobsOf, surroundings, watchedFacts, type SurroundingsOf } from './object-facts.ts'
import { namespaceLabels } from './packing-of.ts'
import { placements } from './placement-facts.ts'
import type { Pricing } from './pricing.ts'

const secondsPerMonth = HOURS_PER_MONTH * SECONDS_PER_HOUR

export type Around = {
  costUsdPerMonth: number | null
  /** By class of nodes. */
  rates: ReadonlyMap<string, ClassRate>
  pricing: Pricing
  history: History
  policies: Policies
}

/** What the rules look at, from the newest picture of the cluster. What no table holds yet is said to be unknown. */
export function factsOf(state: FoldState, around: Around, packed?: Packed): ClusterFacts {
  const { inventory, watermark } = state
  const { costUsdPerMonth, rates, policies, pricing, history } = around
  const groups = new Map<string, PodRecord[]>()
  for (const pod of inventory.pods.values()) {
    if (pod.node === undefined || paidUntil(pod) <= watermark) continue
    const key = [pod.namespace, pod.workloadKind, pod.workloadName].join('/')
    const group = groups.get(key) ?? []
    groups.set(key, group)
    group.push(pod)
  }
  const of = {
    surroundings: surroundings(state, history),
    placement: placements(state, rates, pricing),
    namespaceLabels: new Map(Object.entries(namespaceLabels(state))),
  }
  const workloads = [...groups.values()].flatMap((pods) => workloadOf(pods, rates, of))
  const volumes = volumesOf(state, pricing, history)
  const balancers = balancersOf(state, pricing, history)
  return {
    observedAt: watermark,
    costUsdPerMonth,
    known: new Set(knownFacts(state, { workloads, volumes, rates, hasPacking: packed !== undefined })),
    workloads,
    volumes,
    balancers,
    hoursKnown: history.hoursKnown,
    nodes: nodesOf(state, rates, pricing, packed),
    pools: packed ? poolFactsOf(state, rates, pricing, packed) : [],
    namespaces: namespacesOf(state, history, { workloads, volumes, balancers }),
    cronJobs: cronJobsOf(state, history),
    controlPlane: controlPlaneOf(state, pricing),
    largestNode: largestNodeOf(inventory.nodes.values(), watermark),
    policies,
  }
}

/** The most of each: which node that is does not matter to what cannot be placed anywhere. */
function largestNodeOf(nodes: Iterable<NodeRecord>, now: number): ClusterFacts['largestNode'] {
  const living = [...nodes].filter(({ endedAt }) => endedAt > now).flatMap(({ versions }) => versions.at(-1) ?? [])
  if (living.length === 0) return null
  return {
    cpuMillicores: Math.max(...living.map(({ facts }) => facts.cpuAllocatableMillicores)),
    memoryKib: Math.max(...living.map(({ facts }) => facts.memoryAllocatableKib)),
  }
}

type Found = {
  workloads: readonly WorkloadFacts[]
  volumes: readonly VolumeFacts[]
  rates: Around['rates']
  hasPacking: boolean
}

/** Every agent tells of pods, nodes, volumes and balancers; of the rest, what it looks at. */
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
  /** They count for what is in the namespace, unless it says otherwise itself. */
  namespaceLabels: ReadonlyMap<string, WorkloadFacts['labels']>
}

/** The newest pod stands for the others: its template is the one that new ones are made from. */
function workloadOf(pods: readonly PodRecord[], rates: Around['rates'], of: Of): WorkloadFacts[] {
  const newest = pods.reduce((a, b) => (isNewer(b, a) ? b : a))
  const shape = newest.versions.at(-1)?.facts.shape
  if (!shape) return []
  const { namespace, workloadKind: kind, workloadName: name } = newest
  const { labels, heaps, ...around } = of.surroundings(namespace, kind, name, newest.labels)
  return [
    {
      namespace,
      kind,
      name,
      podName: newest.name,
      replicas: pods.length,
      labels: { ...of.namespaceLabels.get(namespace), ...labels, ...newest.labels },
      containers: shape.containers.map((each) => containerOf(each, heaps)),
      stuckPods: pods.flatMap(stuckOf),
      price: priceOf(pods, rates),
      ...around,
      placement: of.placement(pods),
    },
  ]
}

const isNewer = (a: PodRecord, b: PodRecord) => a.boundAt > b.boundAt || (a.boundAt === b.boundAt && a.name < b.name)

type Shape = NonNullable<PodRecord['versions'][number]>['facts']['shape']['containers'][number]

const containerOf = (container: Shape, heaps: ReadonlyMap<string, number>): ContainerFacts => ({
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
  heapMaxKib: heaps.get(container.name) ?? null,
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

/** The mean over its pods; null when none of them runs on a node that has a price. */
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
  const rows = new Map(priced.map(({ key, rate }) => [rate.rateId, rowOf(key, rate)]))
  return { cpuUsdPerMillicoreMonth: mean('cpu'), memoryUsdPerKibMonth: mean('memory'), rows: [...rows.values()] }
}

const rowOf = (nodeClass: string, rate: ClassRate): PriceRow => ({
  rateId: rate.rateId,
  nodeClass,
  nodeUsdPerHour: rate.nodeUsdPerHour,
  cpuUsdPerCoreMonth: rate.cpuUsd === null ? null : round(rate.cpuUsd * 1e6 * secondsPerMonth),
  memoryUsdPerGibMonth: rate.memoryUsd === null ? null : round(rate.memoryUsd * KIB_PER_GIB * secondsPerMonth),
  estimated: rate.estimated,
})

const round = (usd: number) => Number(usd.toFixed(6))
