import { BatchWriter, type Batch, type ContainerSample, type NodeVersion, type PodVersion } from '@plimsoll/contract'
import fc from 'fast-check'

/** A few nodes and pods over about two hours, as plain facts for batches and for an oracle. */
export type SmallWorld = {
  nodes: WorldNode[]
  pods: WorldPod[]
  cloudResources?: WorldCloudResource[]
  namespaces?: { name: string; labels: Record<string, string> }[]
}
export type WorldNode = {
  uid: string
  bornAt: number
  endedAt: number
  instanceType?: string
  pool?: string
  /** Overrides of node facts. */
  facts?: Partial<NodeVersion>
}

/** A volume or a load balancer, and which pods use it when. */
export type WorldCloudResource = {
  uid: string
  kind: 'volume' | 'balancer'
  bornAt: number
  endedAt: number
  sizeKib: number
  /** Of a volume. */
  resize: { at: number; sizeKib: number } | undefined
  users: { pod: number; from: number; to: number }[]
  storageClass?: string
}
export type WorldPod = {
  uid: string
  node: number
  boundAt: number
  endedAt: number
  containers: { name: string; millicores: number; kib: number }[]
  /** An in-place resize of the first container. */
  resize: { at: number; millicores: number } | undefined
  /** Seed of the usage: any function of pod, container and minute will do. */
  useSeed: number
  namespace?: string
  /** By default each pod is its own workload. */
  workload?: string
  labels?: Record<string, string>
  /** Where `uid` is the name of a workload with several pods. */
  podUid?: string
}

export const startHour = 500_000
export const startSecond = startHour * 3600
export const minutes = 130
export const endSecond = startSecond + minutes * 60

const never = Number.POSITIVE_INFINITY
const second = fc.integer({ min: startSecond - 600, max: endSecond })

export const smallWorld: fc.Arbitrary<SmallWorld> = fc
  .record({
    nodes: fc.array(fc.option(fc.integer({ min: startSecond + 60, max: endSecond }), { nil: never }), {
      minLength: 1,
      maxLength: 3,
    }),
    pods: fc.array(
      fc.record({
        node: fc.nat(2),
        boundAt: second,
        life: fc.oneof(fc.integer({ min: 1, max: 90 }), fc.integer({ min: 60, max: 9000 }), fc.constant(never)),
        containers: fc.array(fc.record({ millicores: fc.nat(3000), kib: fc.nat(8 * 1024 * 1024) }), {
          minLength: 1,
          maxLength: 2,
        }),
        resize: fc.option(fc.record({ after: fc.integer({ min: 1, max: 4000 }), millicores: fc.nat(3000) }), {
          nil: undefined,
        }),
        useSeed: fc.nat(1000),
      }),
      { maxLength: 8 },
    ),
  })
  .map(({ nodes, pods }) => ({
    nodes: nodes.map((endedAt, index) => ({ uid: `node-${index}`, bornAt: startSecond - 3600, endedAt })),
    pods: pods.map((pod, index) => {
      const node = pod.node % nodes.length
      const endedAt = Math.min(pod.boundAt + pod.life, nodes[node] ?? never)
      const resizeAt = pod.boundAt + (pod.resize?.after ?? 0)
      return {
        uid: `pod-${index}`,
        node,
        boundAt: pod.boundAt,
        endedAt: Math.max(endedAt, pod.boundAt),
        containers: pod.containers.map((container, position) => ({ name: `c${position}`, ...container })),
        resize: pod.resize && resizeAt < endedAt ? { at: resizeAt, millicores: pod.resize.millicores } : undefined,
        useSeed: pod.useSeed,
      }
    }),
  }))

/** The same with volumes and load balancers that pods use now and then. */
export const smallWorldWithCloudResources: fc.Arbitrary<SmallWorld> = fc
  .tuple(
    smallWorld,
    fc.array(
      fc.record({
        kind: fc.constantFrom('volume' as const, 'balancer' as const),
        bornAt: second,
        life: fc.oneof(fc.integer({ min: 1, max: 9000 }), fc.constant(never)),
        sizeKib: fc.integer({ min: 1, max: 10 * 1024 * 1024 }),
        resize: fc.option(
          fc.record({ after: fc.integer({ min: 1, max: 4000 }), sizeKib: fc.integer({ min: 1, max: 1e7 }) }),
          { nil: undefined },
        ),
        users: fc.array(
          fc.record({
            pod: fc.nat(7),
            after: fc.nat(4000),
            life: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.constant(never)),
          }),
          { maxLength: 5 },
        ),
      }),
      { maxLength: 3 },
    ),
  )
  .map(([world, cloudResources]) => ({
    ...world,
    cloudResources: cloudResources.map(({ kind, bornAt, life, sizeKib, resize, users }, index) => ({
      uid: `asset-${index}`,
      kind,
      bornAt,
      endedAt: bornAt + life,
      sizeKib,
      resize: resize && kind === 'volume' ? { at: bornAt + resize.after, sizeKib: resize.sizeKib } : undefined,
      users: users.flatMap(({ pod, after, life: length }) => {
        const boundAt = world.pods[pod]?.boundAt
        return boundAt === undefined ? [] : [{ pod, from: boundAt + after, to: boundAt + after + length }]
      }),
    })),
  }))

/** Tenths of a millicore and KiB, above and below the request. */
export function useOf(pod: WorldPod, container: number, minute: number): { cpuTenths: number; kib: number } {
  const mix = (pod.useSeed * 31 + container * 17 + minute * 7) % 101
  return { cpuTenths: mix * 300, kib: mix * 60_000 }
}

/** A version without a surcharge at any provider. */
export const agent = { version: '1.0.0', kubernetes_version: '1.99', usage_source: 'kubelet' as const }

export type BatchPlan = {
  /** Minutes per batch. */
  minutesPerBatch?: number
  /** First object number: a new epoch uses other numbers. */
  firstRef?: number
  /** Node-minutes to omit, as if never measured. */
  isLost?: (node: number, minute: number) => boolean
}

/** Every batch as an agent would send it: first a snapshot, then changes with the complete minutes. */
export function batchesOf(
  world: SmallWorld,
  { minutesPerBatch = 1, firstRef = 1, isLost = () => false }: BatchPlan = {},
): Batch[] {
  const batches: Batch[] = []
  let sentUntil = Number.NEGATIVE_INFINITY
  for (let minute = 0; minute < minutes; minute += minutesPerBatch) {
    const until = Math.min(minutes, minute + minutesPerBatch)
    const closedAt = startSecond + until * 60
    const writer = new BatchWriter()
    const isNew = (at: number) => sentUntil < at && at <= closedAt
    const refs = refsOf(world, firstRef)
    if (sentUntil < 0) addNamespaces(writer, world, refs)
    world.nodes.forEach((node, index) => {
      if (isNew(node.bornAt)) writer.addNode(nodeVersion(node, refs.node(index)))
      if (isNew(node.endedAt)) writer.addEnd({ ref: refs.node(index), at: node.endedAt })
    })
    world.pods.forEach((pod, index) => {
      if (isNew(pod.boundAt)) writer.addPod(podVersion(pod, refs.pod(index), refs.node(pod.node), pod.boundAt))
      if (pod.resize && isNew(pod.resize.at)) {
        writer.addPod(podVersion(pod, refs.pod(index), refs.node(pod.node), pod.resize.at))
      }
      if (isNew(pod.endedAt)) writer.addEnd({ ref: refs.pod(index), at: pod.endedAt })
    })
    addCloudResources(writer, world, refs, isNew)
    for (let each = minute; each < until; each += 1) addMinutes(writer, world, { minute: each, refs, isLost })
    batches.push(writer.finish(agent, closedAt))
    sentUntil = closedAt
  }
  return batches
}

const refsOf = (world: SmallWorld, first: number) => ({
  node: (index: number) => first + index,
  pod: (index: number) => first + world.nodes.length + index,
  cloudResource: (index: number) => first + world.nodes.length + world.pods.length + index,
  namespace: (index: number) =>
    first + world.nodes.length + world.pods.length + (world.cloudResources?.length ?? 0) + index,
})

type Refs = ReturnType<typeof refsOf>

function addNamespaces(writer: BatchWriter, { namespaces = [] }: SmallWorld, refs: Refs): void {
  namespaces.forEach(({ name, labels }, index) => {
    writer.addNamespace({ ref: refs.namespace(index), uid: `ns-${name}`, from: startSecond - 3600, name, labels })
  })
}

function addCloudResources(writer: BatchWriter, world: SmallWorld, refs: Refs, isNew: (at: number) => boolean): void {
  const cloudResources = world.cloudResources ?? []
  cloudResources.forEach((cloudResource, index) => {
    const changes = [
      cloudResource.bornAt,
      cloudResource.resize?.at ?? cloudResource.bornAt,
      ...cloudResource.users.flatMap(({ from, to }) => [from, to]),
    ]
    const inside = [...new Set(changes)].filter((at) => at >= cloudResource.bornAt && at < cloudResource.endedAt)
    for (const at of inside.sort((a, b) => a - b)) {
      if (isNew(at)) addCloudResource(writer, cloudResource, { ref: refs.cloudResource(index), at, refs })
    }
    if (isNew(cloudResource.endedAt)) writer.addEnd({ ref: refs.cloudResource(index), at: cloudResource.endedAt })
  })
}

function addCloudResource(
  writer: BatchWriter,
  cloudResource: WorldCloudResource,
  { ref, at, refs }: { ref: number; at: number; refs: Refs },
): void {
  const { uid, kind, users, resize, sizeKib, storageClass = 'gp3' } = cloudResource
  const podRefs = users.filter(({ from, to }) => from <= at && at < to).map(({ pod }) => refs.pod(pod))
  const version = { ref, uid, from: at, name: uid, namespace: 'shop' }
  if (kind === 'balancer') return writer.addBalancer({ ...version, type: 'nlb', readyPodRefs: podRefs })
  writer.addVolume({
    ...version,
    claim: uid,
    storageClass,
    diskType: '',
    driver: 'ebs.csi.aws.com',
    zone: 'eu-central-1a',
    sizeKib: resize && at >= resize.at ? resize.sizeKib : sizeKib,
    phase: 'bound',
    mountedPodRefs: podRefs,
  })
}

function addMinutes(
  writer: BatchWriter,
  world: SmallWorld,
  {
    minute,
    refs,
    isLost,
  }: { minute: number; refs: ReturnType<typeof refsOf>; isLost: (node: number, minute: number) => boolean },
): void {
  const from = startSecond + minute * 60
  world.nodes.forEach((node, index) => {
    if (node.endedAt <= from || isLost(index, minute)) return
    const samples = world.pods.flatMap((pod, position) => {
      const lives = pod.node === index && pod.boundAt < from + 60 && pod.endedAt > from
      return lives ? pod.containers.map((_each, container) => sample(pod, refs.pod(position), container, minute)) : []
    })
    writer.addMinute(refs.node(index), from / 60, samples)
  })
}

function sample(pod: WorldPod, podRef: number, container: number, minute: number): ContainerSample {
  const { cpuTenths, kib } = useOf(pod, container, minute)
  return { podRef, container, cpuMeanTenths: cpuTenths, cpuAboveTenths: 0, memoryMeanKib: kib, memoryAboveKib: 0 }
}

const capacity = { cpuMillicores: 4000, memoryKib: 16 * 1024 * 1024 }
const allocatable = { cpuMillicores: 3800, memoryKib: 15 * 1024 * 1024 }

export function nodeVersion(
  { uid, bornAt, instanceType = 'm5.xlarge', pool = 'general', facts = {} }: WorldNode,
  ref: number,
): NodeVersion {
  return {
    ref,
    uid,
    from: bornAt,
    name: uid,
    createdAt: bornAt,
    providerId: '',
    instanceType,
    region: 'eu-central-1',
    zone: 'eu-central-1a',
    capacityType: 'on-demand',
    os: 'linux',
    arch: 'amd64',
    pool,
    gpuProduct: '',
    gpuResource: '',
    gpuCapacity: 0,
    gpuReplicas: 1,
    cpuCapacityMillicores: capacity.cpuMillicores,
    cpuAllocatableMillicores: allocatable.cpuMillicores,
    memoryCapacityKib: capacity.memoryKib,
    memoryAllocatableKib: allocatable.memoryKib,
    podsAllocatable: 58,
    labels: {},
    ...facts,
  }
}

export function podVersion(pod: WorldPod, ref: number, nodeRef: number, from: number): PodVersion {
  const resized = pod.resize !== undefined && from >= pod.resize.at
  return {
    ref,
    uid: pod.podUid ?? pod.uid,
    from,
    name: pod.podUid ?? pod.uid,
    namespace: pod.namespace ?? 'shop',
    nodeRef,
    boundAt: pod.boundAt,
    phase: 'running',
    shape: {
      containers: pod.containers.map(({ name, millicores, kib }, index) => ({
        name,
        kind: 'app' as const,
        cpu_request: resized && index === 0 ? (pod.resize?.millicores ?? 0) : millicores,
        memory_request: kib,
      })),
    },
    workloadKind: 'Deployment',
    workloadName: pod.workload ?? pod.uid,
    labels: pod.labels ?? { app: pod.uid },
  }
}
