import { Compile } from 'typebox/compile'
import { cpuPeriodsMax, PodShape, type Batch } from './batch.ts'
import { historyLimits, type NodeHour, type UsageHour } from './history.ts'
import { objectKinds, objectSpecs, type ClusterObject, type ObjectKind } from './cluster-objects.ts'
import { Taint } from './scheduling.ts'
import { isCount } from './parse-batch.ts'
import { atMost, BadRow, choice, count, run, runStarts, startUp, throttling, usageFigures } from './read-columns.ts'
import { bytesOf, nameBytesMax } from './stored-text.ts'
import { usageBuckets } from './usage-buckets.ts'
import {
  podPhases,
  volumePhases,
  type BalancerVersion,
  type ContainerEvent,
  type Labels,
  type NamespaceVersion,
  type NodeVersion,
  type ObjectEnd,
  type ObjectVersion,
  type PodVersion,
  type VolumeVersion,
} from './versions.ts'

type NodeExtras = 'taints' | 'ephemeralAllocatableKib' | 'scaleDownDisabled' | 'extendedAllocatable' | 'attachLimits'
type VersionColumns = { ref: number[]; uid_string: number[]; from: number[]; name_string: number[] }

export type Rejection = { table: string; index: number; reason: string }

const rejectionsKept = 20
const isPodShape = Compile(PodShape)
const isTaint = Compile(Taint)
const isSpec: Record<ObjectKind, { Check: (value: unknown) => boolean }> = {
  workload: Compile(objectSpecs.workload),
  autoscaler: Compile(objectSpecs.autoscaler),
  vertical_autoscaler: Compile(objectSpecs.vertical_autoscaler),
  budget: Compile(objectSpecs.budget),
  limit_range: Compile(objectSpecs.limit_range),
  quota: Compile(objectSpecs.quota),
  node_pool: Compile(objectSpecs.node_pool),
  cluster_autoscaler: Compile(objectSpecs.cluster_autoscaler),
}

/** Drops invalid counts. */
function countsOf(labels: Labels, least: 0 | 1): Record<string, number> {
  const counts = Object.entries(labels).map(([name, text]): [string, number] => [name, Number(text)])
  return Object.fromEntries(counts.filter(([, count]) => isCount(count) && count >= least))
}

/** Reads the records of a batch. Invalid records are counted and skipped; the others stay valid. */
export class BatchReader {
  readonly rejections: Rejection[] = []
  rejectedRecords = 0
  readonly #batch: Batch
  readonly #labels = new Map<number, Labels>()
  readonly #shapes = new Map<number, PodShape>()
  readonly #bytes = new Map<number, number>()

  constructor(batch: Batch) {
    this.#batch = batch
  }

  namespaces(): NamespaceVersion[] {
    const columns = this.#batch.namespaces
    if (!columns) return []
    return this.#rows('namespaces', columns.ref.length, (row) => ({
      ...this.#version(columns, row),
      labels: this.#labelSet(columns.label_set, row),
    }))
  }

  nodes(): NodeVersion[] {
    const columns = this.#batch.nodes
    return this.#rows('nodes', columns.ref.length, (row) => ({
      ...this.#version(columns, row),
      createdAt: count(columns.created_at, row),
      providerId: this.#string(columns.provider_id_string, row, nameBytesMax.providerId),
      instanceType: this.#string(columns.instance_type_string, row, nameBytesMax.priced),
      region: this.#string(columns.region_string, row, nameBytesMax.priced),
      zone: this.#string(columns.zone_string, row, nameBytesMax.priced),
      capacityType: this.#string(columns.capacity_type_string, row, nameBytesMax.priced),
      os: this.#string(columns.os_string, row, nameBytesMax.priced),
      arch: this.#string(columns.arch_string, row, nameBytesMax.priced),
      pool: this.#string(columns.pool_string, row),
      gpuProduct: this.#string(columns.gpu_product_string, row, nameBytesMax.priced),
      gpuResource: this.#string(columns.gpu_resource_string, row, nameBytesMax.priced),
      gpuCapacity: count(columns.gpu_capacity, row),
      gpuReplicas: count(columns.gpu_replicas, row),
      cpuCapacityMillicores: count(columns.cpu_capacity, row),
      cpuAllocatableMillicores: count(columns.cpu_allocatable, row),
      memoryCapacityKib: count(columns.memory_capacity, row),
      memoryAllocatableKib: count(columns.memory_allocatable, row),
      podsAllocatable: count(columns.pods_allocatable, row),
      labels: this.#labelSet(columns.label_set, row),
      ...this.#nodeExtras(columns, row),
    }))
  }

  pods(): PodVersion[] {
    const columns = this.#batch.pods
    return this.#rows('pods', columns.ref.length, (row) => ({
      ref: this.#ref(columns, row),
      uid: this.#uid(columns, row),
      from: count(columns.from, row),
      name: this.#string(columns.name_string, row),
      namespace: this.#string(columns.namespace_string, row),
      nodeRef: count(columns.node_ref, row),
      boundAt: count(columns.bound_at, row),
      phase: choice(podPhases, columns.phase, row),
      shape: this.#shape(columns.shape, row),
      workloadKind: this.#string(columns.workload_kind_string, row),
      workloadName: this.#string(columns.workload_name_string, row),
      labels: this.#labelSet(columns.label_set, row),
    }))
  }

  volumes(): VolumeVersion[] {
    const columns = this.#batch.volumes
    const runs = runStarts(columns.mount_count)
    return this.#rows('volumes', columns.ref.length, (row) => ({
      ...this.#version(columns, row),
      namespace: this.#string(columns.namespace_string, row),
      claim: this.#string(columns.claim_string, row),
      storageClass: this.#string(columns.storage_class_string, row),
      diskType: columns.disk_type_string ? this.#string(columns.disk_type_string, row, nameBytesMax.priced) : '',
      driver: this.#string(columns.driver_string, row, nameBytesMax.priced),
      zone: this.#string(columns.zone_string, row, nameBytesMax.priced),
      sizeKib: count(columns.size_kib, row),
      phase: choice(volumePhases, columns.phase, row),
      ...this.#volumeExtras(columns, row),
      mountedPodRefs: run(columns.mounted_pod_ref, runs, row),
    }))
  }

  balancers(): BalancerVersion[] {
    const columns = this.#batch.balancers
    const runs = runStarts(columns.ready_count)
    return this.#rows('balancers', columns.ref.length, (row) => ({
      ...this.#version(columns, row),
      namespace: this.#string(columns.namespace_string, row),
      type: this.#string(columns.type_string, row),
      readyPodRefs: run(columns.ready_pod_ref, runs, row),
    }))
  }

  objects(): ObjectVersion[] {
    const columns = this.#batch.objects
    if (!columns) return []
    return this.#rows('objects', columns.ref.length, (row) => ({
      ...this.#version(columns, row),
      namespace: this.#string(columns.namespace_string, row),
      ...this.#object(choice(objectKinds, columns.kind, row), count(columns.spec, row)),
    }))
  }

  ends(): ObjectEnd[] {
    const { ref, at } = this.#batch.ends
    return this.#rows('ends', ref.length, (row) => ({ ref: count(ref, row), at: count(at, row) }))
  }

  events(): ContainerEvent[] {
    const columns = this.#batch.events
    return this.#rows('events', columns.at.length, (row) => ({
      podRef: count(columns.pod_ref, row),
      container: count(columns.container, row),
      at: count(columns.at, row),
      oomKills: count(columns.oom_kills, row),
      restarts: count(columns.restarts, row),
      ...throttling(columns, row, cpuPeriodsMax),
    }))
  }

  nodeHours(): NodeHour[] {
    const columns = this.#batch.hours
    if (!columns) return []
    const starts = runStarts(columns.sample_count)
    return this.#rows('hours', columns.hour.length, (row) => {
      const samples: NodeHour['samples'][number][] = []
      for (let index = starts[row] ?? 0; index < (starts[row + 1] ?? 0); index += 1) {
        samples.push({
          podRef: count(columns.pod_ref, index),
          container: count(columns.container, index),
          cpuMeanTenths: atMost(usageBuckets.cpu.valueMax, columns.cpu_mean, index),
          memoryMeanKib: atMost(usageBuckets.memory.valueMax, columns.memory_mean, index),
        })
      }
      return { nodeRef: count(columns.node_ref, row), hour: count(columns.hour, row), samples }
    })
  }

  usageHours(): UsageHour[] {
    const columns = this.#batch.usage
    if (!columns) return []
    const cpuRuns = runStarts(columns.cpu_bucket_count)
    const memoryRuns = runStarts(columns.memory_bucket_count)
    return this.#rows('usage', columns.hour.length, (row) => ({
      ...this.#workloadContainer(columns, row),
      hour: count(columns.hour, row),
      podSeconds: atMost(historyLimits.podSecondsMax, columns.pod_seconds, row),
      oomKills: atMost(historyLimits.eventsMax, columns.oom_kills, row),
      restarts: atMost(historyLimits.eventsMax, columns.restarts, row),
      ...throttling(columns, row, historyLimits.cpuPeriodsMax),
      ...startUp(columns, row),
      cpu: usageFigures(columns, 'cpu', cpuRuns, row),
      memory: usageFigures(columns, 'memory', memoryRuns, row),
    }))
  }

  reject(table: string, index: number, reason: string): void {
    this.rejectedRecords += 1
    if (this.rejections.length < rejectionsKept) this.rejections.push({ table, index, reason })
  }

  #rows<Row>(table: string, length: number, read: (row: number) => Row): Row[] {
    const rows: Row[] = []
    for (let row = 0; row < length; row += 1) {
      try {
        rows.push(read(row))
      } catch (error) {
        if (!(error instanceof BadRow)) throw error
        this.reject(table, row, error.message)
      }
    }
    return rows
  }

  #version(columns: VersionColumns, row: number) {
    return {
      ref: this.#ref(columns, row),
      uid: this.#uid(columns, row),
      from: count(columns.from, row),
      name: this.#string(columns.name_string, row),
    }
  }

  #ref(columns: VersionColumns, row: number): number {
    const ref = count(columns.ref, row)
    if (ref === 0) throw new BadRow('ref or uid is missing')
    return ref
  }

  #uid(columns: VersionColumns, row: number): string {
    const uid = this.#string(columns.uid_string, row)
    if (uid === '') throw new BadRow('ref or uid is missing')
    return uid
  }

  #workloadContainer(columns: NonNullable<Batch['usage']>, row: number) {
    const named = {
      namespace: this.#string(columns.namespace_string, row),
      workloadKind: this.#string(columns.workload_kind_string, row),
      workloadName: this.#string(columns.workload_name_string, row),
      container: this.#string(columns.container_string, row),
    }
    if (Object.values(named).includes('')) throw new BadRow('container or workload is missing')
    return named
  }

  #string(column: number[], row: number, bytesMax = nameBytesMax.name): string {
    return this.#text(count(column, row), bytesMax)
  }

  /** Thousands of records share a string, so each string is validated once. */
  #text(index: number, bytesMax: number): string {
    const text: unknown = this.#batch.strings[index]
    if (typeof text !== 'string') throw new BadRow(`unknown string reference ${index}`)
    const bytes = this.#bytes.get(index) ?? bytesOf(text)
    this.#bytes.set(index, bytes)
    if (bytes > bytesMax) throw new BadRow(`string ${index} is not a name, or longer than ${bytesMax} bytes`)
    return text
  }

  #labelSet(column: number[], row: number): Labels {
    const index = count(column, row)
    const known = this.#labels.get(index)
    if (known) return known
    const pairs: unknown = this.#batch.label_sets[index]
    if (!Array.isArray(pairs) || pairs.length % 2 === 1 || !pairs.every(isCount)) {
      throw new BadRow(`unknown label set reference ${index}`)
    }
    const texts = pairs.map((each) => this.#text(each, nameBytesMax.label))
    const labels = Object.fromEntries(texts.flatMap((text, at) => (at % 2 === 0 ? [[text, texts[at + 1] ?? '']] : [])))
    this.#labels.set(index, labels)
    return labels
  }

  #shape(column: number[], row: number): PodShape {
    const index = count(column, row)
    const known = this.#shapes.get(index)
    if (known) return known
    const shape: unknown = this.#batch.shapes[index]
    const usable = isPodShape.Check(shape) ? shape : this.#withoutScheduling(shape, index)
    this.#shapes.set(index, usable)
    return usable
  }

  /** Invalid scheduling constraints must not drop the pod, because the pod still has a cost. */
  #withoutScheduling(shape: unknown, index: number): PodShape {
    const { scheduling, ...rest } = Object(shape) as Record<string, unknown>
    if (scheduling === undefined || !isPodShape.Check(rest)) throw new BadRow(`unknown pod shape reference ${index}`)
    this.reject('shapes', index, 'the scheduling does not match the schema')
    return rest
  }

  #object(kind: ObjectKind, index: number): ClusterObject {
    const spec: unknown = this.#batch.specs?.[index]
    if (!isSpec[kind].Check(spec)) throw new BadRow(`detail ${index} does not match the schema of a ${kind}`)
    return { kind, spec } as ClusterObject
  }

  #volumeExtras(columns: Batch['volumes'], row: number): Pick<VolumeVersion, 'reclaimPolicy' | 'usedKib'> {
    const policy = columns.reclaim_policy_string ? this.#string(columns.reclaim_policy_string, row) : ''
    const used = columns.used_kib ? count(columns.used_kib, row) : 0
    return { ...(policy === '' ? {} : { reclaimPolicy: policy }), ...(used === 0 ? {} : { usedKib: used }) }
  }

  #nodeExtras(columns: Batch['nodes'], row: number): Pick<NodeVersion, NodeExtras> {
    const taints = columns.taint_set ? this.#taints(count(columns.taint_set, row)) : []
    const ephemeral = columns.ephemeral_allocatable ? count(columns.ephemeral_allocatable, row) : 0
    const isDisabled = columns.scale_down_disabled ? count(columns.scale_down_disabled, row) === 1 : false
    const extended = columns.extended_set ? countsOf(this.#labelSet(columns.extended_set, row), 1) : {}
    // A node may support 0 volumes of a driver.
    const attach = columns.attach_limit_set ? countsOf(this.#labelSet(columns.attach_limit_set, row), 0) : {}
    return {
      ...(taints.length > 0 ? { taints } : {}),
      ...(ephemeral > 0 ? { ephemeralAllocatableKib: ephemeral } : {}),
      ...(isDisabled ? { scaleDownDisabled: true } : {}),
      ...(Object.keys(extended).length > 0 ? { extendedAllocatable: extended } : {}),
      ...(Object.keys(attach).length > 0 ? { attachLimits: attach } : {}),
    }
  }

  #taints(index: number): Taint[] {
    const taints: unknown = this.#batch.taint_sets?.[index]
    if (!Array.isArray(taints) || !taints.every((each) => isTaint.Check(each))) {
      throw new BadRow(`unknown taint set reference ${index}`)
    }
    return taints
  }
}
