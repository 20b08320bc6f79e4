import type { Labels, NodeVersion, PodScheduling, PodShape, VolumeVersion } from '@plimsoll/contract'
import { decimal, groupBy } from '@plimsoll/engine'
import type { PackingCluster, PackingNode, PackingPod, PackingPool, PodConstraints } from '@plimsoll/engine/packing'
import { workloadPath } from '@plimsoll/engine/rules'
import type { ClassRate } from '../prices/class-rate.ts'
import { isControlPlane } from '../fold/control-plane.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { paidUntil, versionAt, type NodeRecord, type PodRecord } from '../fold/inventory.ts'
import { engineShape } from '../fold/request-of.ts'
import type { PeakPod } from './peak-pods.ts'

export const zoneLabel = 'topology.kubernetes.io/zone'
const typeLabel = 'node.kubernetes.io/instance-type'
const hostLabel = 'kubernetes.io/hostname'
const podsByDefault = 110

export type Rates = ReadonlyMap<string, ClassRate>

/**
 * The newest snapshot as the scheduler sees it, with the peak number of pods of each workload. Pods that do not run now
 * are pending. Serverless pods have no nodes to drain.
 */
export function packingOf(
  state: FoldState,
  rates: Rates,
  pools: readonly PackingPool[],
  peaks: readonly PeakPod[] = [],
): PackingCluster {
  const nodes = livingNodes(state)
  const names = new Map(nodes.map((node) => [node, nameOf(node)]))
  const volumesOf = listVolumes(state)
  const constraintsOf = makeConstraints(volumesOf)
  const pods = [...state.inventory.pods.values()].filter((pod) => paidUntil(pod) > state.watermark)
  return {
    nodes: nodes.flatMap((node) => packingNode(node, rates)),
    pods: [
      ...pods.flatMap((pod) => {
        if (pod.node && !names.has(pod.node)) return []
        const volumes = (volumesOf.get(pod.uid) ?? []).map(({ uid, facts }) => ({ driver: facts.driver, id: uid }))
        return packingPod(pod, pod.node ? names.get(pod.node) : undefined, constraintsOf).map((each) =>
          volumes.length === 0 ? each : { ...each, volumes },
        )
      }),
      ...peaks.flatMap(({ like, count }) => again(packingPod(like, undefined, constraintsOf), count)),
    ],
    pools,
    disruptionBudgets: state.objects.living('budget', state.watermark).map(({ namespace, name, spec }) => ({
      namespace,
      name,
      selector: spec.selector,
      disruptionsAllowed: spec.disruptions_allowed,
    })),
    namespaces: namespaceLabels(state),
  }
}

const again = (pods: readonly PackingPod[], count: number): PackingPod[] =>
  pods.flatMap((pod) =>
    Array.from({ length: count }, (_, index) => ({ ...pod, uid: `${pod.uid} again ${index + 1}`, isAbsent: true })),
  )

const nameOf = ({ uid, versions }: NodeRecord) => versions.at(-1)?.facts.name ?? uid

/** The newest node of each name: a second node of the same name replaced the first. */
export function livingNodes({ inventory, watermark }: FoldState): NodeRecord[] {
  const byName = new Map<string, NodeRecord>()
  for (const node of inventory.nodes.values()) {
    if (node.endedAt <= watermark || node.versions.at(-1)?.class.serverless) continue
    const before = byName.get(nameOf(node))
    if (!before || before.bornAt < node.bornAt) byName.set(nameOf(node), node)
  }
  return [...byName.values()]
}

export const nodesByPool = (state: FoldState): Map<string, NodeRecord[]> =>
  groupBy(livingNodes(state), ({ versions }) => versions.at(-1)?.facts.pool ?? '')

function packingNode(node: NodeRecord, rates: Rates): PackingNode[] {
  const version = node.versions.at(-1)
  if (!version) return []
  const { facts, class: priced } = version
  const usd = rates.get(priced.key)?.nodeUsdPerHour ?? null
  return [
    {
      name: facts.name,
      pool: facts.pool,
      usdPerHour: usd === null ? 'unpriced' : decimal(usd.toFixed(9)),
      allocatable: {
        cpu: priced.allocatable.cpu,
        memory: priced.allocatable.memory,
        pods: facts.podsAllocatable === 0 ? podsByDefault : facts.podsAllocatable,
        ...(facts.ephemeralAllocatableKib === undefined ? {} : { ephemeral: facts.ephemeralAllocatableKib }),
        ...extendedOfNode(facts),
      },
      labels: labelsOf(facts),
      ...(facts.taints ? { taints: facts.taints } : {}),
      ...(facts.attachLimits ? { attachLimits: facts.attachLimits } : {}),
      spot: facts.capacityType === 'spot',
      keep: facts.scaleDownDisabled === true || isControlPlane(node),
    },
  ]
}

/** Older agents send only accelerators. */
function extendedOfNode({ extendedAllocatable, gpuResource, gpuCapacity }: NodeVersion) {
  if (extendedAllocatable) return { extended: extendedAllocatable }
  return gpuCapacity > 0 ? { extended: { [gpuResource]: gpuCapacity } } : {}
}

/** Labels that every node has, if the agent did not send them. */
export const labelsOf = ({ name, zone, instanceType, labels }: NodeVersion) => ({
  [hostLabel]: name,
  ...(zone === '' ? {} : { [zoneLabel]: zone }),
  ...(instanceType === '' ? {} : { [typeLabel]: instanceType }),
  ...labels,
})

type ConstraintsOf = (uid: string, scheduling: PodScheduling | undefined) => PodConstraints | undefined

function packingPod(pod: PodRecord, node: string | undefined, constraintsOf: ConstraintsOf): PackingPod[] {
  const facts = pod.versions.at(-1)?.facts
  if (!facts) return []
  const { shape } = facts
  const { scheduling } = shape
  const constraints = constraintsOf(pod.uid, scheduling)
  const extended = extendedOf(shape)
  return [
    {
      uid: pod.uid,
      namespace: pod.namespace,
      name: pod.name,
      workload: workloadPath(pod.namespace, pod.workloadKind, pod.workloadName),
      ...(node === undefined ? {} : { node }),
      owner: ownerOf(pod.workloadKind),
      shape: shapeOf(shape),
      labels: pod.labels,
      ...(extended ? { extended } : {}),
      ...(constraints ? { constraints } : {}),
      ...(scheduling?.priority === undefined ? {} : { priority: scheduling.priority }),
      ...(scheduling?.ephemeral_request === undefined ? {} : { ephemeral: scheduling.ephemeral_request }),
      ...(scheduling?.safe_to_evict === undefined ? {} : { safeToEvict: scheduling.safe_to_evict }),
      ...(scheduling?.do_not_disrupt ? { doNotDisrupt: true } : {}),
      ...(scheduling?.local_storage ? { localStorage: true } : {}),
    },
  ]
}

/** Static pods have a node as owner. Pods without an owner have the kind Pod. */
function ownerOf(kind: string): PackingPod['owner'] {
  if (kind === 'DaemonSet') return 'daemonset'
  if (kind === 'Node') return 'static'
  return kind === 'Pod' || kind === '' ? 'none' : 'controller'
}

const shapes = new WeakMap<PodShape, PackingPod['shape']>()

/** Thousands of pods share a shape, and the packing compares pods by shape. Whole GPUs are counted separately. */
function shapeOf(shape: PodShape): PackingPod['shape'] {
  const known = shapes.get(shape) ?? engineShape(shape, undefined)
  shapes.set(shape, known)
  return known
}

/** Older agents send only accelerators. */
function extendedOf({ containers, scheduling }: PodShape): Record<string, number> | undefined {
  if (scheduling?.extended_requests) return scheduling.extended_requests
  const sum = new Map<string, number>()
  for (const { kind, gpu_resource: resource, gpu_count: count } of containers) {
    if (resource === undefined || count === undefined) continue
    const before = sum.get(resource) ?? 0
    sum.set(resource, kind === 'init' ? Math.max(before, count) : before + count)
  }
  return sum.size === 0 ? undefined : Object.fromEntries(sum)
}

type Volume = { readonly uid: string; readonly facts: VolumeVersion }

/** By pod, the volumes that the pod mounts. */
function listVolumes({ cloudResources, watermark }: FoldState): Map<string, Volume[]> {
  const volumesOf = new Map<string, Volume[]>()
  for (const { uid, versions, endedAt } of cloudResources.volumes.values()) {
    const version = versionAt(versions, watermark)
    if (!version || endedAt <= watermark) continue
    for (const user of version.users)
      volumesOf.set(user, [...(volumesOf.get(user) ?? []), { uid, facts: version.facts }])
  }
  return volumesOf
}

/** Equal constraints share one object, so that the packing evaluates them once. */
function makeConstraints(volumesOf: ReadonlyMap<string, readonly Volume[]>): ConstraintsOf {
  const known = new Map<PodScheduling | undefined, Map<string, PodConstraints | undefined>>()
  return (uid, scheduling) => {
    const zones = (volumesOf.get(uid) ?? []).flatMap(({ facts: { zone } }) => (zone === '' ? [] : [zone]))
    const ofScheduling = known.get(scheduling) ?? new Map<string, PodConstraints | undefined>()
    known.set(scheduling, ofScheduling)
    const key = zones.join(' ')
    if (!ofScheduling.has(key)) ofScheduling.set(key, constraints(scheduling, zones))
    return ofScheduling.get(key)
  }
}

function constraints(scheduling: PodScheduling | undefined, zones: readonly string[]): PodConstraints | undefined {
  if (!scheduling && zones.length === 0) return undefined
  const { tolerations, node_selector, node_affinity, pod_affinity, pod_anti_affinity, spread, host_ports } =
    scheduling ?? {}
  return {
    ...(tolerations ? { tolerations } : {}),
    ...(node_selector ? { nodeSelector: node_selector } : {}),
    ...(node_affinity ? { nodeAffinity: node_affinity } : {}),
    ...(pod_affinity ? { podAffinity: pod_affinity.map(termOf) } : {}),
    ...(pod_anti_affinity ? { podAntiAffinity: pod_anti_affinity.map(termOf) } : {}),
    ...(spread ? { spread: spread.map(spreadOf) } : {}),
    ...(host_ports ? { hostPorts: host_ports } : {}),
    ...(zones.length === 0 ? {} : { volumeZones: zones.map((zone) => [zone]) }),
  }
}

type Term = NonNullable<PodScheduling['pod_affinity']>[number]

const termOf = ({ topology_key, namespace_selector, ...term }: Term) => ({
  topologyKey: topology_key,
  ...term,
  ...(namespace_selector ? { namespaceSelector: namespace_selector } : {}),
})

type Spread = NonNullable<PodScheduling['spread']>[number]

const spreadOf = ({ topology_key, max_skew, min_domains, selector, ...policies }: Spread) => ({
  topologyKey: topology_key,
  maxSkew: max_skew,
  ...(selector ? { selector } : {}),
  ...(min_domains === undefined ? {} : { minDomains: min_domains }),
  ...(policies.node_affinity_policy ? { nodeAffinityPolicy: policies.node_affinity_policy } : {}),
  ...(policies.node_taints_policy ? { nodeTaintsPolicy: policies.node_taints_policy } : {}),
})

export function namespaceLabels({ cloudResources, watermark }: FoldState): Record<string, Labels> {
  const living = [...cloudResources.namespaces.byUid.values()].filter(({ endedAt }) => endedAt > watermark)
  return Object.fromEntries(living.map(({ name, versions }) => [name, versions.at(-1)?.facts.labels ?? {}]))
}
