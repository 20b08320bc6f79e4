import type { Living, MinuteFacts } from '@plimsoll/agent'
import type { NodeVersion, PodVersion } from '@plimsoll/contract'
import { MICROCORES_PER_MILLICORE, PARTS_PER_WHOLE, type TimeSpan } from '@plimsoll/engine'
import type { CloudResourceUser, NodeSize } from '@plimsoll/engine/allocation'
import {
  allocateNode,
  podSpans,
  type NodeAllocation,
  type PodFacts,
  type PodLife,
  type UsageSample,
} from '@plimsoll/engine/testing'
import { engineShape } from '../src/engine-shape.ts'

type Version = { readonly ref: number; readonly uid: string; readonly from: number }
type History<V extends Version> = { readonly versions: V[]; endedAt?: number }
type Sample = { minute: number; container: number; cpuMeanTenths: number; memoryMeanKib: number }

const MICROCORES_PER_TENTH = MICROCORES_PER_MILLICORE / 10

export type Seen = {
  /** Minutes with lost usage are unknown. Default: all are known. */
  readonly isSeen?: (nodeUid: string, minute: number) => boolean
}

/**
 * The exact result, computed in a slow and simple way from the facts of the world. Every path through batches must give
 * the same.
 */
export class Truth {
  readonly #nodes = new Map<number, History<NodeVersion>>()
  readonly #pods = new Map<number, History<PodVersion>>()
  readonly #volumes = new Map<number, History<Living['volumes'][number]>>()
  readonly #balancers = new Map<number, History<Living['balancers'][number]>>()
  readonly #samples = new Map<number, Sample[]>()
  #until = 0

  constructor(opening: Living) {
    this.#addVersions(opening)
  }

  add(facts: MinuteFacts): void {
    this.#addVersions(facts)
    this.#until = (facts.minute + 1) * 60
    for (const { ref, at } of facts.ends) {
      for (const known of [this.#nodes, this.#pods, this.#volumes, this.#balancers]) {
        const history = known.get(ref)
        if (history) history.endedAt = at
      }
    }
    for (const { samples } of facts.usage) {
      for (const { podRef, ...sample } of samples)
        entry(this.#samples, podRef, []).push({ ...sample, minute: facts.minute })
    }
  }

  nodeUids(): string[] {
    return [...this.#nodes.values()].flatMap(({ versions }) => versions.slice(0, 1).map(({ uid }) => uid))
  }

  /** The last reported size; the size of a node does not change. */
  node(uid: string): NodeSize & { life: TimeSpan } {
    const { version, life } = this.#one(this.#nodes, uid)
    const gpu = version.gpuCapacity * PARTS_PER_WHOLE
    return {
      life: { ...life, from: version.createdAt },
      capacity: {
        cpu: version.cpuCapacityMillicores * MICROCORES_PER_MILLICORE,
        memory: version.memoryCapacityKib,
        gpu,
      },
      allocatable: {
        cpu: version.cpuAllocatableMillicores * MICROCORES_PER_MILLICORE,
        memory: version.memoryAllocatableKib,
        gpu,
      },
    }
  }

  podsOf(nodeUid: string, { isSeen = () => true }: Seen = {}): PodFacts[] {
    const node = this.#one(this.#nodes, nodeUid).version
    const pods = [...this.#pods.values()].filter(({ versions }) => versions.at(-1)?.nodeRef === node.ref)
    return pods.map((history) => this.#podFacts(history, node, (minute) => isSeen(nodeUid, minute)))
  }

  /** The exact unit-seconds of a node. The window is between the start of the world and the last added minute. */
  allocation(nodeUid: string, window: TimeSpan, seen: Seen & { size?: NodeSize } = {}): NodeAllocation {
    const node = { ...this.node(nodeUid), ...seen.size }
    return allocateNode(node, podSpans(this.podsOf(nodeUid, seen), this.#until), window)
  }

  /** For `shareVolume` of the engine; users have the uid of their pod. */
  volume(uid: string): { sizeKib: number; life: TimeSpan; mounts: CloudResourceUser[] } {
    const { version, life, versions } = this.#one(this.#volumes, uid)
    return { sizeKib: version.sizeKib, life, mounts: this.#users(versions, life, (each) => each.mountedPodRefs) }
  }

  /** For `shareBalancer` of the engine. */
  balancer(uid: string): { life: TimeSpan; readyPods: CloudResourceUser[] } {
    const { life, versions } = this.#one(this.#balancers, uid)
    return { life, readyPods: this.#users(versions, life, (each) => each.readyPodRefs) }
  }

  #podFacts(
    { versions, endedAt }: History<PodVersion>,
    node: NodeVersion,
    isSeen: (minute: number) => boolean,
  ): PodFacts {
    const gpu = { product: node.gpuProduct, replicas: node.gpuReplicas }
    const [first] = versions
    const samples = (this.#samples.get(first?.ref ?? 0) ?? []).filter(({ minute }) => isSeen(minute))
    return {
      uid: first?.uid ?? '',
      life: lifeOf(versions, endedAt),
      versions: versions.map(({ from, shape }) => ({ from, shape: engineShape(shape, gpu) })),
      samples: samples.map((sample) => usageSample(sample, first)),
    }
  }

  #users<V extends Version>(
    versions: readonly V[],
    life: TimeSpan,
    refs: (version: V) => readonly number[],
  ): CloudResourceUser[] {
    return versions.flatMap((version, index) =>
      refs(version).map((ref) => ({
        key: this.#pods.get(ref)?.versions[0]?.uid ?? '',
        from: version.from,
        to: versions[index + 1]?.from ?? life.to,
      })),
    )
  }

  #addVersions({ nodes, pods, volumes, balancers }: Living): void {
    for (const version of nodes) entry(this.#nodes, version.ref, { versions: [] }).versions.push(version)
    for (const version of pods) entry(this.#pods, version.ref, { versions: [] }).versions.push(version)
    for (const version of volumes) entry(this.#volumes, version.ref, { versions: [] }).versions.push(version)
    for (const version of balancers) entry(this.#balancers, version.ref, { versions: [] }).versions.push(version)
  }

  #one<V extends Version>(known: ReadonlyMap<number, History<V>>, uid: string) {
    const history = [...known.values()].find(({ versions }) => versions[0]?.uid === uid)
    const version = history?.versions.at(-1)
    if (!history || !version) throw new Error(`there was never a ${uid}`)
    const life = { from: history.versions[0]?.from ?? 0, to: history.endedAt ?? this.#until }
    return { version, versions: history.versions, life }
  }
}

function lifeOf(versions: readonly PodVersion[], endedAt: number | undefined): PodLife {
  const bound = versions.find(({ nodeRef }) => nodeRef !== 0)
  const succeeded = versions.find(({ phase }) => phase === 'succeeded')
  const failed = versions.find(({ phase }) => phase === 'failed')
  return {
    ...(bound ? { boundAt: bound.boundAt } : {}),
    ...(succeeded ? { succeededAt: succeeded.from } : {}),
    ...(failed ? { failedAt: failed.from } : {}),
    ...(endedAt === undefined ? {} : { deletedAt: endedAt }),
  }
}

function usageSample(sample: Sample, pod: PodVersion | undefined): UsageSample {
  return {
    from: sample.minute * 60,
    to: sample.minute * 60 + 60,
    container: pod?.shape.containers[sample.container]?.name ?? '',
    usage: { cpu: sample.cpuMeanTenths * MICROCORES_PER_TENTH, memory: sample.memoryMeanKib, gpu: 'unknown' },
  }
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, empty: Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  map.set(key, empty)
  return empty
}
