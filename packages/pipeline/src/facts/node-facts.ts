import { groupBy, HOURS_PER_MONTH, MICROCORES_PER_MILLICORE, roundToNumber, SECONDS_PER_HOUR } from '@plimsoll/engine'
import {
  cheapestOfSets,
  describeBlocker,
  isLiftable,
  type Packing,
  type PackingCluster,
  type PackingPod,
  type AdmittingCapacity,
} from '@plimsoll/engine/packing'
import {
  isSystemNamespace,
  type CheaperSet,
  type NodeFacts,
  type NodeFate,
  type PoolFacts,
} from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import type { NodeRecord } from '../fold/inventory.ts'
import { requestsOf } from './requests-of.ts'
import { busiestOf, withBusiestHour } from './busiest-hour.ts'
import { PEAK_DAYS, type History } from './history.ts'
import { pathOf } from './living-pods.ts'
import { nodeTypes, priceOfType } from './node-types.ts'
import { livingNodes, nodesByPool, zoneLabel, type Rates } from './packing-of.ts'
import type { PeakPod } from './peak-pods.ts'
import type { ScaledPool } from './pools-of.ts'
import { priceRowOf } from '../prices/price-row.ts'
import type { Pricing } from '../prices/pricing.ts'
import { successorOf } from './successors.ts'

const secondsPerMonth = HOURS_PER_MONTH * SECONDS_PER_HOUR
const headroomPercent = 10
/** Above this number, the search for a cheaper set of instance types takes too long for an analysis. */
const podsInSetMax = 20_000

/** A snapshot after repacking, with the pods that exist only at busier times. */
export type Packed = {
  cluster: PackingCluster
  /** The autoscaler of each pool, and the source of this knowledge. */
  pools: readonly ScaledPool[]
  packing: Packing
  peaks: readonly PeakPod[]
  /** The capacity of the nodes that may run the pods of a workload. */
  capacityOf: CapacityOf
}

export type CapacityOf = (workloadPath: string) => AdmittingCapacity | null

export function nodesOf(state: FoldState, rates: Rates, pricing: Pricing, packed: Packed | undefined): NodeFacts[] {
  const fates = packed ? fatesOf(packed.packing) : new Map<string, NodeFate>()
  return livingNodes(state).flatMap((node) => {
    const version = node.versions.at(-1)
    if (!version) return []
    const { facts, class: priced } = version
    const rate = rates.get(priced.key)
    const usdPerMonth = monthly(rate?.nodeUsdPerHour ?? null)
    return [
      {
        name: facts.name,
        pool: facts.pool,
        ...(facts.zone === '' ? {} : { zone: facts.zone }),
        instanceType: facts.instanceType,
        isSpot: facts.capacityType === 'spot',
        bornAt: node.bornAt,
        usdPerMonth,
        ...(rate ? { price: priceRowOf(priced.key, rate) } : {}),
        fate: fates.get(facts.name) ?? null,
        blocker: null,
        successor: successorOf(pricing, priced.key, usdPerMonth),
      },
    ]
  })
}

const monthly = (usdPerHour: number | null) => (usdPerHour === null ? null : usdPerHour * HOURS_PER_MONTH)

function fatesOf({ present }: Packing): Map<string, NodeFate> {
  const { freed, kept, byHand, replaced } = present
  return new Map<string, NodeFate>([
    ...kept.map(({ node, blocker }): [string, NodeFate] => [
      node,
      { kind: 'kept', code: blocker.code, why: describeBlocker(blocker) },
    ]),
    ...freed.map(({ node, moves }): [string, NodeFate] => [node, { kind: 'free', podsMoved: moves.length }]),
    ...byHand.map(({ node, why }): [string, NodeFate] => [node, { kind: 'by_hand', why }]),
    ...replaced.map(({ node, type, usdPerMonth }): [string, NodeFate] => [
      node,
      { kind: 'replace', instanceType: type, savedUsdPerMonth: roundToNumber(usdPerMonth) },
    ]),
  ])
}

export function poolFactsOf(
  state: FoldState,
  {
    rates,
    pricing,
    packed: { cluster, pools, packing, peaks },
    history,
  }: { rates: Rates; pricing: Pricing; packed: Packed; history: Pick<History, 'classPeaks'> },
): PoolFacts[] {
  const podsOf = podsByPool(cluster)
  const held = heldNodes(packing)
  const zones = new Map(cluster.nodes.map((node) => [node.name, node.labels[zoneLabel] ?? '']))
  const atPeak = podsAtPeak(cluster, peaks)
  return [...nodesByPool(state)].map(([name, nodes]) => {
    const pods = podsOf.get(name) ?? []
    const free = nodes.filter((node) => !held.has(nameOf(node)))
    const moving = pods.filter(({ node = '' }) => !held.has(node))
    const usd = nodes.map((node) => monthly(rateOf(node, rates)?.nodeUsdPerHour ?? null))
    const usdPerMonth = usd.every((each) => each !== null) ? sum(usd, (each) => each) : null
    const swapped = packing.present.replaced.filter(({ node }) => nodes.some((each) => nameOf(each) === node))
    return {
      name,
      nodes: nodes.length,
      usdPerMonth,
      scaler: scalerOf({ pools }, name),
      ...residentsOf(pods, zones),
      allocatable: {
        cpuMillicores: sum(nodes, (node) => allocatableOf(node).cpu) / MICROCORES_PER_MILLICORE,
        memoryKib: sum(nodes, (node) => allocatableOf(node).memory),
      },
      requested: requestsOf(pods),
      daemons: requestsOf(pods.filter(({ owner }) => owner === 'daemonset')),
      price: priceOf(nodes, rates),
      cheaperSet: cheaperSet(pricing, cluster, {
        nodes: free,
        pods: withBusiestHour(moving, atPeak.get(name) ?? [], {
          factor: busiestOf(nodes, history),
          podsMax: podsInSetMax,
        }),
        swappedUsdPerMonth: sum(swapped, (each) => roundToNumber(each.usdPerMonth)),
      }),
    }
  })
}

/** The running workloads that should be spread over more than one node or zone. */
function residentsOf(pods: readonly PackingPod[], zones: ReadonlyMap<string, string>) {
  const staying = pods.filter(({ owner, workload }) => owner === 'controller' && !RUNS.test(workload))
  const byWorkload = [...groupBy(staying, ({ workload }) => workload)]
  const named = (some: typeof byWorkload) => some.map(([workload]) => workload.split('/').at(-1) ?? '').sort()
  const zonesOf = (own: readonly PackingPod[]) => new Set(own.map(({ node = '' }) => zones.get(node))).size
  return {
    systemWorkloads: named(byWorkload.filter(([, own]) => own.some(({ namespace }) => isSystemNamespace(namespace)))),
    spreadWorkloads: named(byWorkload.filter(([, own]) => zonesOf(own) > 1)),
  }
}

/** Jobs run wherever there is capacity. */
const RUNS = /\/(Cron)?Job\//

/** These nodes cannot be drained, so no other instance type can replace them. */
const heldNodes = ({ present }: Packing) =>
  new Set(present.kept.flatMap(({ node, blocker }) => (isLiftable(blocker.code) ? [node] : [])))

const nameOf = ({ versions, uid }: NodeRecord) => versions.at(-1)?.facts.name ?? uid
const rateOf = ({ versions }: NodeRecord, rates: Rates) => rates.get(versions.at(-1)?.class.key ?? '')
const allocatableOf = ({ versions }: NodeRecord) => versions.at(-1)?.class.allocatable ?? { cpu: 0, memory: 0 }

function podsByPool({ nodes, pods }: PackingCluster): Map<string | undefined, PackingPod[]> {
  const poolOf = new Map(nodes.map(({ name, pool }) => [name, pool]))
  return groupBy(pods, ({ node = '' }) => poolOf.get(node))
}

/** Pending pods that exist only at busier times, by the pool that they ran in. */
function podsAtPeak({ pods }: PackingCluster, peaks: readonly PeakPod[]): Map<string | undefined, PackingPod[]> {
  const poolOf = new Map(peaks.map(({ like }) => [pathOf(like), like.node?.versions.at(-1)?.facts.pool ?? '']))
  return groupBy(pods, ({ node, workload }) => (node === undefined ? poolOf.get(workload) : undefined))
}

function scalerOf({ pools }: Pick<Packed, 'pools'>, name: string): PoolFacts['scaler'] {
  const { pool, scaling } = pools.find((each) => each.pool.name === name) ?? {}
  if (!pool || scaling?.by === 'unknown') return 'unknown'
  return pool.kind === 'unmanaged' ? 'none' : pool.kind
}

/** Mean over the nodes of a pool. */
function priceOf(nodes: readonly NodeRecord[], rates: Rates): PoolFacts['price'] {
  const priced = nodes.flatMap((node) => {
    const { cpuUsd: cpu = null, memoryUsd: memory = null } = rateOf(node, rates) ?? {}
    return cpu === null || memory === null ? [] : [{ cpu, memory }]
  })
  if (priced.length === 0) return null
  return {
    cpuUsdPerMillicoreMonth:
      (sum(priced, (each) => each.cpu) / priced.length) * MICROCORES_PER_MILLICORE * secondsPerMonth,
    memoryUsdPerKibMonth: (sum(priced, (each) => each.memory) / priced.length) * secondsPerMonth,
  }
}

/**
 * Not for pools with GPUs or spot nodes, and not where a pod fits no offered type. No type is more than twice as large
 * as the current ones, because its failure would affect too many pods.
 */
function cheaperSet(
  pricing: Pricing,
  cluster: PackingCluster,
  {
    nodes,
    pods,
    swappedUsdPerMonth,
  }: { nodes: readonly NodeRecord[]; pods: readonly PackingPod[]; swappedUsdPerMonth: number },
): CheaperSet | null {
  const facts = nodes.flatMap(({ versions }) => versions.at(-1)?.facts ?? [])
  const isOrdinary = facts.every(({ capacityType, gpuCapacity }) => capacityType !== 'spot' && gpuCapacity === 0)
  const moving = pods.filter(({ owner }) => owner !== 'daemonset' && owner !== 'static')
  if (!isOrdinary || moving.length === 0 || pods.length > podsInSetMax) return null
  const pool = cluster.pools.find(({ name }) => name === facts[0]?.pool)
  const allowed = pool?.kind === 'karpenter' ? pool.types : undefined
  const types = (allowed ?? nodeTypes(pricing, nodes)).filter(
    ({ allocatable }) => allocatable.cpu <= 2 * Math.max(...nodes.map((node) => allocatableOf(node).cpu)),
  )
  if (types.length === 0) return null
  const zones = [...new Set(facts.map(({ zone }) => zone))].sort()
  const set = cheapestOfSets({ ...cluster, nodes: [], pods, pools: [] }, types, { zones, headroomPercent })
  if (!set || set.unplaceable.length > 0) return null
  const counts = new Map<string, number>()
  for (const { type, count } of set.nodes) counts.set(type, (counts.get(type) ?? 0) + count)
  return {
    usdPerMonth: roundToNumber(set.usdPerHour) * HOURS_PER_MONTH,
    boundUsdPerMonth: roundToNumber(set.lowerBoundUsdPerHour) * HOURS_PER_MONTH,
    machines: [...counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, count]) => {
        const price = priceOfType(pricing, nodes, type)
        return { type, count, ...(price ? { price } : {}) }
      }),
    swappedUsdPerMonth,
    headroomPercent,
    daysOfPeak: PEAK_DAYS,
  }
}

const sum = <Item>(items: readonly Item[], of: (item: Item) => number | null) =>
  items.reduce((total, item) => total + (of(item) ?? 0), 0)
