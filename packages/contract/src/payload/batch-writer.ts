import type { AgentFacts, Batch, PodShape } from './batch.ts'
import type { HourSample, UsageFigures, UsageHour } from './history.ts'
import { objectKinds } from './cluster-objects.ts'
import {
  emptyBalancers,
  emptyEvents,
  emptyMinutes,
  emptyNodeHours,
  emptyNodes,
  emptyObjects,
  emptyPods,
  emptyUsage,
  emptyVersions,
  emptyVolumes,
  type UsageColumns,
} from './empty-columns.ts'
import type { Taint } from './scheduling.ts'
import type {
  BalancerVersion,
  ContainerEvent,
  ContainerSample,
  Labels,
  NamespaceVersion,
  NodeVersion,
  ObjectEnd,
  ObjectVersion,
  PodVersion,
  VolumeVersion,
} from './versions.ts'
import type { Throttling } from './throttling.ts'
import { podPhases, volumePhases } from './versions.ts'

export type SnapshotPart = NonNullable<Batch['snapshot']>

/** Stores each text, label set and shape once. */
class Dictionary<Entry> {
  readonly entries: Entry[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(key: string, make: () => Entry): number {
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    this.#indexes.set(key, this.entries.length)
    return this.entries.push(make()) - 1
  }
}

const countTexts = (counts: Readonly<Record<string, number>> = {}): Labels =>
  Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, String(count)]))

/** Writes the observations of an agent as columns. The agent and the simulator share this writer. */
export class BatchWriter {
  readonly #strings = new Dictionary<string>()
  readonly #labelSets = new Dictionary<number[]>()
  readonly #shapes = new Dictionary<PodShape>()
  readonly #taintSets = new Dictionary<Taint[]>()
  readonly #specs = new Dictionary<ObjectVersion['spec']>()
  readonly #namespaces = { ...emptyVersions(), label_set: [] as number[] }
  /** Thousands of pods share one shape object, so its content is compared once. */
  readonly #shapeIndexes = new WeakMap<PodShape, number>()
  readonly #labelSetIndexes = new WeakMap<Labels, number>()
  readonly #nodes = emptyNodes()
  readonly #pods = emptyPods()
  readonly #volumes = emptyVolumes()
  readonly #balancers = emptyBalancers()
  readonly #objects = emptyObjects()
  readonly #ends: Batch['ends'] = { ref: [], at: [] }
  readonly #minutes = emptyMinutes()
  readonly #events = emptyEvents()

  readonly #hours = emptyNodeHours()
  readonly #usage = emptyUsage()

  constructor() {
    this.#string('')
    this.#taintSet([])
  }

  addNamespace(namespace: NamespaceVersion): void {
    this.#addVersion(this.#namespaces, namespace)
    this.#namespaces.label_set.push(this.#labelSet(namespace.labels))
  }

  addNode(node: NodeVersion): void {
    const columns = this.#nodes
    this.#addVersion(columns, node)
    columns.created_at.push(node.createdAt)
    columns.provider_id_string.push(this.#string(node.providerId))
    columns.instance_type_string.push(this.#string(node.instanceType))
    columns.region_string.push(this.#string(node.region))
    columns.zone_string.push(this.#string(node.zone))
    columns.capacity_type_string.push(this.#string(node.capacityType))
    columns.os_string.push(this.#string(node.os))
    columns.arch_string.push(this.#string(node.arch))
    columns.pool_string.push(this.#string(node.pool))
    columns.gpu_product_string.push(this.#string(node.gpuProduct))
    columns.gpu_resource_string.push(this.#string(node.gpuResource))
    columns.gpu_capacity.push(node.gpuCapacity)
    columns.gpu_replicas.push(node.gpuReplicas)
    columns.cpu_capacity.push(node.cpuCapacityMillicores)
    columns.cpu_allocatable.push(node.cpuAllocatableMillicores)
    columns.memory_capacity.push(node.memoryCapacityKib)
    columns.memory_allocatable.push(node.memoryAllocatableKib)
    columns.pods_allocatable.push(node.podsAllocatable)
    columns.label_set.push(this.#labelSet(node.labels))
    columns.taint_set.push(this.#taintSet(node.taints ?? []))
    columns.ephemeral_allocatable.push(node.ephemeralAllocatableKib ?? 0)
    columns.scale_down_disabled.push(node.scaleDownDisabled ? 1 : 0)
    columns.extended_set.push(this.#labelSet(countTexts(node.extendedAllocatable)))
    columns.attach_limit_set.push(this.#labelSet(countTexts(node.attachLimits)))
  }

  addPod(pod: PodVersion): void {
    const columns = this.#pods
    this.#addVersion(columns, pod)
    columns.namespace_string.push(this.#string(pod.namespace))
    columns.node_ref.push(pod.nodeRef)
    columns.bound_at.push(pod.boundAt)
    columns.phase.push(podPhases.indexOf(pod.phase))
    columns.shape.push(this.#shape(pod.shape))
    columns.workload_kind_string.push(this.#string(pod.workloadKind))
    columns.workload_name_string.push(this.#string(pod.workloadName))
    columns.label_set.push(this.#labelSet(pod.labels))
  }

  addVolume(volume: VolumeVersion): void {
    const columns = this.#volumes
    this.#addVersion(columns, volume)
    columns.namespace_string.push(this.#string(volume.namespace))
    columns.claim_string.push(this.#string(volume.claim))
    columns.storage_class_string.push(this.#string(volume.storageClass))
    columns.disk_type_string.push(this.#string(volume.diskType))
    columns.driver_string.push(this.#string(volume.driver))
    columns.zone_string.push(this.#string(volume.zone))
    columns.size_kib.push(volume.sizeKib)
    columns.phase.push(volumePhases.indexOf(volume.phase))
    columns.reclaim_policy_string.push(this.#string(volume.reclaimPolicy ?? ''))
    columns.used_kib.push(volume.usedKib ?? 0)
    columns.mount_count.push(volume.mountedPodRefs.length)
    columns.mounted_pod_ref.push(...volume.mountedPodRefs)
  }

  addBalancer(balancer: BalancerVersion): void {
    const columns = this.#balancers
    this.#addVersion(columns, balancer)
    columns.namespace_string.push(this.#string(balancer.namespace))
    columns.type_string.push(this.#string(balancer.type))
    columns.ready_count.push(balancer.readyPodRefs.length)
    columns.ready_pod_ref.push(...balancer.readyPodRefs)
  }

  addObject(object: ObjectVersion): void {
    const columns = this.#objects
    this.#addVersion(columns, object)
    columns.namespace_string.push(this.#string(object.namespace))
    columns.kind.push(objectKinds.indexOf(object.kind))
    columns.spec.push(this.#specs.indexOf(JSON.stringify(object.spec), () => object.spec))
  }

  addEnd({ ref, at }: ObjectEnd): void {
    this.#ends.ref.push(ref)
    this.#ends.at.push(at)
  }

  /** All containers of the node in that minute: a node-minute is whole or absent. */
  addMinute(nodeRef: number, minute: number, samples: readonly ContainerSample[]): void {
    const columns = this.#minutes
    columns.node_ref.push(nodeRef)
    columns.minute.push(minute)
    columns.sample_count.push(samples.length)
    for (const sample of samples) {
      columns.pod_ref.push(sample.podRef)
      columns.container.push(sample.container)
      columns.cpu_mean.push(sample.cpuMeanTenths)
      columns.cpu_above.push(sample.cpuAboveTenths)
      columns.memory_mean.push(sample.memoryMeanKib)
      columns.memory_above.push(sample.memoryAboveKib)
    }
  }

  addEvent({ podRef, container, at, oomKills, restarts, throttling }: ContainerEvent): void {
    const columns = this.#events
    columns.pod_ref.push(podRef)
    columns.container.push(container)
    columns.at.push(at)
    columns.oom_kills.push(oomKills)
    columns.restarts.push(restarts)
    addThrottling(columns, throttling)
  }

  /** All containers of the node in that hour. Back-fill only. */
  addHour(nodeRef: number, hour: number, samples: readonly HourSample[]): void {
    const columns = this.#hours
    columns.node_ref.push(nodeRef)
    columns.hour.push(hour)
    columns.sample_count.push(samples.length)
    for (const sample of samples) {
      columns.pod_ref.push(sample.podRef)
      columns.container.push(sample.container)
      columns.cpu_mean.push(sample.cpuMeanTenths)
      columns.memory_mean.push(sample.memoryMeanKib)
    }
  }

  /** One container of a workload in one hour. Back-fill only. */
  addUsage(usage: UsageHour): void {
    const columns = this.#usage
    columns.namespace_string.push(this.#string(usage.namespace))
    columns.workload_kind_string.push(this.#string(usage.workloadKind))
    columns.workload_name_string.push(this.#string(usage.workloadName))
    columns.container_string.push(this.#string(usage.container))
    columns.hour.push(usage.hour)
    columns.pod_seconds.push(usage.podSeconds)
    columns.oom_kills.push(usage.oomKills)
    columns.restarts.push(usage.restarts)
    addThrottling(columns, usage.throttling)
    addStartUp(columns, usage.startUp)
    addFigures(columns, 'cpu', usage.cpu)
    addFigures(columns, 'memory', usage.memory)
  }

  finish(agent: AgentFacts, observedAt: number, snapshot?: SnapshotPart): Batch {
    return {
      agent,
      observed_at: observedAt,
      strings: this.#strings.entries,
      label_sets: this.#labelSets.entries,
      shapes: this.#shapes.entries,
      taint_sets: this.#taintSets.entries,
      specs: this.#specs.entries,
      ...(snapshot === undefined ? {} : { snapshot }),
      namespaces: this.#namespaces,
      nodes: this.#nodes,
      pods: this.#pods,
      volumes: this.#volumes,
      balancers: this.#balancers,
      objects: this.#objects,
      ends: this.#ends,
      minutes: this.#minutes,
      events: this.#events,
      ...(this.#hours.hour.length === 0 ? {} : { hours: this.#hours }),
      ...(this.#usage.hour.length === 0 ? {} : { usage: this.#usage }),
    }
  }

  #string(text: string): number {
    return this.#strings.indexOf(text, () => text)
  }

  #shape(shape: PodShape): number {
    const known = this.#shapeIndexes.get(shape)
    if (known !== undefined) return known
    const index = this.#shapes.indexOf(JSON.stringify(shape), () => shape)
    this.#shapeIndexes.set(shape, index)
    return index
  }

  #labelSet(labels: Labels): number {
    const known = this.#labelSetIndexes.get(labels)
    if (known !== undefined) return known
    const pairs = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1))
    const index = this.#labelSets.indexOf(JSON.stringify(pairs), () => pairs.flat().map((text) => this.#string(text)))
    this.#labelSetIndexes.set(labels, index)
    return index
  }

  #taintSet(taints: readonly Taint[]): number {
    return this.#taintSets.indexOf(JSON.stringify(taints), () => [...taints])
  }

  #addVersion(
    columns: { ref: number[]; uid_string: number[]; from: number[]; name_string: number[] },
    { ref, uid, from, name }: { ref: number; uid: string; from: number; name: string },
  ): void {
    columns.ref.push(ref)
    columns.uid_string.push(this.#string(uid))
    columns.from.push(from)
    columns.name_string.push(this.#string(name))
  }
}

function addFigures(columns: UsageColumns, resource: 'cpu' | 'memory', figures: UsageFigures): void {
  columns[`${resource}_mean`].push(figures.mean)
  columns[`${resource}_max`].push(figures.max)
  columns[`${resource}_hottest`].push(figures.hottest)
  columns[`${resource}_bucket_count`].push(figures.buckets.length)
  columns[`${resource}_bucket`].push(...figures.buckets)
  columns[`${resource}_pod_minutes`].push(...figures.podMinutes)
}

function addStartUp(columns: UsageColumns, startUp: UsageHour['startUp']): void {
  columns.startup_minutes.push(startUp?.minutes ?? 0)
  columns.startup_cpu_mean.push(startUp?.cpuMean ?? 0)
  columns.startup_cpu_max.push(startUp?.cpuMax ?? 0)
  columns.startup_memory_max.push(startUp?.memoryMax ?? 0)
}

type PeriodColumns = Pick<UsageColumns, 'cpu_periods' | 'throttled_periods'>

function addThrottling(columns: PeriodColumns, throttling: Throttling | undefined): void {
  columns.cpu_periods.push(throttling?.periods ?? 0)
  columns.throttled_periods.push(throttling?.throttledPeriods ?? 0)
}
