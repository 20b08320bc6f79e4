import type { PackingCluster, PackingNode, PackingPod, PodTerm } from '../src/packing/cluster.ts'
import type { LabelSelector, Requirement } from '../src/packing/label-selector.ts'
import type { Taint, Toleration } from '../src/packing/taints.ts'

/**
 * The filters of the Kubernetes scheduler as its documentation defines them, one pod and one node at a time. Shares
 * no code with the engine. Slow; the engine is compared with it.
 */
export type World = {
  readonly cluster: PackingCluster
  /** By uid, the name of the node. */
  readonly where: Map<string, string>
  readonly nodes: Map<string, PackingNode>
  /** The requests of a pod, by UID; they change with proposals. */
  readonly requests: Map<string, { cpu: number; memory: number }>
}

export function openWorld(cluster: PackingCluster): World {
  const names = new Set(cluster.nodes.map(({ name }) => name))
  return {
    cluster,
    nodes: new Map(cluster.nodes.map((node) => [node.name, node])),
    where: new Map(cluster.pods.flatMap(({ uid, node }) => (node && names.has(node) ? [[uid, node]] : []))),
    requests: new Map(cluster.pods.map((pod) => [pod.uid, requestsOf(pod)])),
  }
}

/** The pods of the tests have plain containers only. */
export function requestsOf({ shape }: PackingPod) {
  const sum = (resource: 'cpu' | 'memory') =>
    shape.containers.reduce((total, { request }) => total + request[resource], 0)
  return { cpu: sum('cpu'), memory: sum('memory') }
}

/** Every reason why the pod cannot run on the node; none if it can. */
export function objections(world: World, pod: PackingPod, node: PackingNode): string[] {
  const checks: [string, boolean][] = [
    ['resources', hasCapacity(world, pod, node)],
    ['taints', isTolerated(pod, node)],
    ['node affinity', suitsNode(pod, node)],
    ['volume zone', (pod.constraints?.volumeZones ?? []).every((zones) => zones.includes(zoneOf(node) ?? '?'))],
    ['host ports', hasPorts(world, pod, node)],
    ['volume limits', canAttach(world, pod, node)],
    ['anti-affinity', isApart(world, pod, node)],
    ['anti-affinity of other pods', isLeftInPeace(world, pod, node)],
    ['affinity', hasCompany(world, pod, node)],
    ['spread', isSpread(world, pod, node)],
  ]
  return checks.flatMap(([name, holds]) => (holds ? [] : [name]))
}

const zoneOf = (node: PackingNode) => node.labels['topology.kubernetes.io/zone']

export function podsOn(world: World, node: PackingNode): PackingPod[] {
  return world.cluster.pods.filter(({ uid }) => world.where.get(uid) === node.name)
}

function hasCapacity(world: World, pod: PackingPod, node: PackingNode): boolean {
  const there = podsOn(world, node)
  const { cpu, memory, pods, ephemeral = Infinity, extended = {} } = node.allocatable
  const fits = (own: number, of: (each: PackingPod) => number, whole: number) =>
    own === 0 || own + there.reduce((sum, each) => sum + of(each), 0) <= whole
  const requests = (each: PackingPod) => world.requests.get(each.uid) ?? { cpu: 0, memory: 0 }
  return (
    there.length + 1 <= pods &&
    fits(requests(pod).cpu, (each) => requests(each).cpu, cpu) &&
    fits(requests(pod).memory, (each) => requests(each).memory, memory) &&
    fits(pod.ephemeral ?? 0, (each) => each.ephemeral ?? 0, ephemeral) &&
    Object.entries(pod.extended ?? {}).every(([name, own]) =>
      fits(own, (each) => each.extended?.[name] ?? 0, extended[name] ?? 0),
    )
  )
}

function isTolerated(pod: PackingPod, node: PackingNode): boolean {
  const tolerates = (toleration: Toleration, taint: Taint) =>
    (toleration.effect === undefined || toleration.effect === taint.effect) &&
    (toleration.operator === 'Exists'
      ? toleration.key === undefined || toleration.key === taint.key
      : toleration.key === taint.key && (toleration.value ?? '') === (taint.value ?? ''))
  return (node.taints ?? [])
    .filter(({ effect }) => effect === 'NoSchedule' || effect === 'NoExecute')
    .every((taint) => (pod.constraints?.tolerations ?? []).some((each) => tolerates(each, taint)))
}

function holds({ key, operator, values = [] }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[key]
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  if (operator === 'NotIn') return value === undefined || values.every((each) => each !== value)
  if (value === undefined) return false
  if (operator === 'In') return values.some((each) => each === value)
  return operator === 'Gt' ? Number(value) > Number(values[0]) : Number(value) < Number(values[0])
}

function suitsNode({ constraints = {} }: PackingPod, { name, labels }: PackingNode): boolean {
  const selected = Object.entries(constraints.nodeSelector ?? {}).every(([key, value]) => labels[key] === value)
  if (!constraints.nodeAffinity) return selected
  const suits = constraints.nodeAffinity.some(({ expressions = [], fields = [] }) => {
    const all = [
      ...expressions.map((each) => holds(each, labels)),
      ...fields.map((each) => holds(each, { 'metadata.name': name })),
    ]
    return all.length > 0 && all.every(Boolean)
  })
  return selected && suits
}

function hasPorts(world: World, pod: PackingPod, node: PackingNode): boolean {
  const taken = podsOn(world, node).flatMap(({ constraints }) => constraints?.hostPorts ?? [])
  const isAny = (ip?: string) => ip === undefined || ip === '0.0.0.0'
  return (pod.constraints?.hostPorts ?? []).every((own) =>
    taken.every(
      (other) =>
        own.port !== other.port ||
        (own.protocol ?? 'TCP') !== (other.protocol ?? 'TCP') ||
        (!isAny(own.ip) && !isAny(other.ip) && own.ip !== other.ip),
    ),
  )
}

/** A volume counts once per node, even if several pods use it. */
function canAttach(world: World, pod: PackingPod, node: PackingNode): boolean {
  const attached = podsOn(world, node).flatMap(({ volumes = [] }) => volumes)
  return Object.entries(node.attachLimits ?? {}).every(([driver, limit]) => {
    const idsOf = (volumes: PackingPod['volumes'] = []) =>
      volumes.filter((each) => each.driver === driver).map(({ id }) => id)
    const before = new Set(idsOf(attached))
    const after = new Set([...before, ...idsOf(pod.volumes)])
    return after.size === before.size || after.size <= limit
  })
}

function selects(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (!selector) return false
  const equal = Object.entries(selector.labels ?? {}).every(([key, value]) => labels[key] === value)
  return equal && (selector.expressions ?? []).every((each) => holds(each, labels))
}

function isMeant(
  world: World,
  { selector, namespaces, namespaceSelector }: PodTerm,
  owner: PackingPod,
  other: PackingPod,
) {
  const named = namespaces ?? []
  const inNamespace =
    named.length === 0 && !namespaceSelector
      ? other.namespace === owner.namespace
      : named.includes(other.namespace) || selects(namespaceSelector, world.cluster.namespaces?.[other.namespace] ?? {})
  return inNamespace && selects(selector, other.labels)
}

/** Placed pods that run in the same domain as the node. */
function neighbours(world: World, node: PackingNode, key: string): PackingPod[] {
  const domain = node.labels[key]
  if (domain === undefined) return []
  return [...world.nodes.values()].filter(({ labels }) => labels[key] === domain).flatMap((each) => podsOn(world, each))
}

function isApart(world: World, pod: PackingPod, node: PackingNode): boolean {
  return (pod.constraints?.podAntiAffinity ?? []).every(
    (term) => !neighbours(world, node, term.topologyKey).some((other) => isMeant(world, term, pod, other)),
  )
}

function isLeftInPeace(world: World, pod: PackingPod, node: PackingNode): boolean {
  return world.cluster.pods.every((other) =>
    (other.constraints?.podAntiAffinity ?? []).every((term) => {
      const home = world.nodes.get(world.where.get(other.uid) ?? '')
      const domain = home?.labels[term.topologyKey]
      const isSame = domain !== undefined && domain === node.labels[term.topologyKey]
      return !(isSame && isMeant(world, term, other, pod))
    }),
  )
}

function hasCompany(world: World, pod: PackingPod, node: PackingNode): boolean {
  const terms = pod.constraints?.podAffinity ?? []
  if (terms.length === 0) return true
  if (terms.some(({ topologyKey }) => node.labels[topologyKey] === undefined)) return false
  const isFriend = (other: PackingPod) => terms.every((term) => isMeant(world, term, pod, other))
  if (terms.every(({ topologyKey }) => neighbours(world, node, topologyKey).some(isFriend))) return true
  const friends = [...world.nodes.values()].flatMap((each) =>
    podsOn(world, each)
      .filter(isFriend)
      .map(() => each),
  )
  const isAnywhere = friends.some((home) => terms.some(({ topologyKey }) => home.labels[topologyKey] !== undefined))
  return !isAnywhere && isFriend(pod)
}

function isSpread(world: World, pod: PackingPod, node: PackingNode): boolean {
  const constraints = pod.constraints?.spread ?? []
  return constraints.every((constraint) => {
    const { topologyKey, maxSkew, minDomains = 1, selector } = constraint
    const eligible = [...world.nodes.values()].filter(
      (each) =>
        constraints.every((other) => each.labels[other.topologyKey] !== undefined) &&
        (constraint.nodeAffinityPolicy === 'Ignore' || suitsNode(pod, each)) &&
        (constraint.nodeTaintsPolicy !== 'Honor' || isTolerated(pod, each)),
    )
    const counts = new Map<string, number>()
    for (const each of eligible) {
      const domain = each.labels[topologyKey] ?? ''
      const matching = podsOn(world, each).filter(
        (other) => other.namespace === pod.namespace && selects(selector, other.labels),
      )
      counts.set(domain, (counts.get(domain) ?? 0) + matching.length)
    }
    const domain = node.labels[topologyKey]
    if (domain === undefined) return false
    const least = counts.size < minDomains ? 0 : Math.min(...counts.values())
    return (counts.get(domain) ?? 0) + (selects(selector, pod.labels) ? 1 : 0) - least <= maxSkew
  })
}
