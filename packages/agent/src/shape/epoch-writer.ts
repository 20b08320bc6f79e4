import {
  BatchWriter,
  type AgentFacts,
  type Batch,
  type ContainerSample,
  type NodeHour,
  type PodVersion,
  type SnapshotPart,
  type UsageHour,
} from '@plimsoll/contract'
import type { Living, MinuteFacts } from '../facts.ts'
import { Refs } from './refs.ts'

export type EpochOptions = {
  /** Called for each batch, because the facts may change. */
  readonly agent: () => AgentFacts
  readonly epoch: string
  /** The maximum number of objects in one part of a snapshot or one batch of a minute. */
  readonly objectsMax?: number
  readonly samplesMax?: number
}

/** Changes and usage of some consecutive minutes. */
export type Delta = Omit<MinuteFacts, 'minute' | 'usage'> & {
  readonly usage: readonly { nodeRef: number; minute: number; samples: readonly ContainerSample[] }[]
}

/** The usage of one hour of history, by node and by container of a workload. */
export type HistoryHour = { nodeHours(): readonly NodeHour[]; usageHours(): readonly UsageHour[] }

export function deltaOf({ minute, usage, ...facts }: MinuteFacts): Delta {
  return { ...facts, usage: usage.map((each) => ({ ...each, minute })) }
}

const OBJECTS_MAX = 20_000
const SAMPLES_MAX = 400_000

/**
 * Writes the batches of one epoch with its own refs. A snapshot contains only the objects of one moment. The changes of
 * the following minute are a separate batch, so no change is lost.
 */
export class EpochWriter {
  readonly #options: EpochOptions
  readonly #refs: Refs
  #snapshots = 0
  #objectsMax: number
  #samplesMax: number

  constructor(options: EpochOptions) {
    this.#options = options
    this.#refs = new Refs(options.epoch)
    this.#objectsMax = options.objectsMax ?? OBJECTS_MAX
    this.#samplesMax = options.samplesMax ?? SAMPLES_MAX
  }

  /** Halves the batch size, because the server rejected a batch as too large. */
  halve(): void {
    this.#objectsMax = Math.max(1, Math.floor(this.#objectsMax / 2))
    this.#samplesMax = Math.max(1, Math.floor(this.#samplesMax / 2))
  }

  /** Yields part by part, so that only one is in memory. The number of parts is as given, or as needed. */
  *snapshot(living: Living, observedAt: number, wanted?: { parts: number }): Generator<Batch> {
    const id = `${this.#options.epoch}-s${(this.#snapshots += 1)}`
    const count = countLiving(living)
    const objectsMax = Math.max(1, wanted ? Math.ceil(count / wanted.parts) : this.#objectsMax)
    const parts = Math.max(1, Math.ceil(count / objectsMax))
    for (let part = 1; part <= parts; part += 1) {
      const writer = new BatchWriter()
      this.#addObjects(writer, sliceLiving(living, (part - 1) * objectsMax, part * objectsMax))
      yield this.#finish(writer, observedAt, { id, part, parts, observed_at: observedAt })
    }
  }

  minute(facts: MinuteFacts): Batch[] {
    return this.delta(deltaOf(facts), (facts.minute + 1) * 60)
  }

  /** One batch, or several if there are too many objects. The first batch has all object changes. */
  delta(delta: Delta, observedAt: number): Batch[] {
    let writer = new BatchWriter()
    let samples = 0
    const batches: Batch[] = []
    this.#addObjects(writer, delta)
    for (const { ref, at } of delta.ends) writer.addEnd({ ref: this.#refs.of(ref), at })
    for (const event of delta.events) writer.addEvent({ ...event, podRef: this.#refs.of(event.podRef) })
    for (const each of delta.usage) {
      if (samples > 0 && samples + each.samples.length > this.#samplesMax) {
        batches.push(this.#finish(writer, observedAt))
        writer = new BatchWriter()
        samples = 0
      }
      samples += each.samples.length
      writer.addMinute(this.#refs.of(each.nodeRef), each.minute, this.#renumbered(each.samples))
    }
    return [...batches, this.#finish(writer, observedAt)]
  }

  /** Hours of history with their objects. */
  history({ ends, ...living }: Living & Pick<Delta, 'ends'>, hours: readonly HistoryHour[], observedAt: number): Batch {
    const writer = new BatchWriter()
    this.#addObjects(writer, living)
    for (const { ref, at } of ends) writer.addEnd({ ref: this.#refs.of(ref), at })
    for (const hour of hours) {
      for (const { nodeRef, hour: number, samples } of hour.nodeHours()) {
        writer.addHour(this.#refs.of(nodeRef), number, this.#renumbered(samples))
      }
      for (const usage of hour.usageHours()) writer.addUsage(usage)
    }
    return this.#finish(writer, observedAt)
  }

  #addObjects(writer: BatchWriter, { namespaces, nodes, pods, volumes, balancers, objects }: Living): void {
    for (const each of namespaces) writer.addNamespace({ ...each, ref: this.#refs.of(each.ref) })
    for (const node of nodes) this.#addNode(writer, node)
    for (const pod of pods) this.#addPod(writer, pod)
    for (const volume of volumes) this.#addVolume(writer, volume)
    for (const balancer of balancers) this.#addBalancer(writer, balancer)
    for (const object of objects) writer.addObject({ ...object, ref: this.#refs.of(object.ref) })
  }

  #addNode(writer: BatchWriter, node: Living['nodes'][number]): void {
    writer.addNode({ ...node, ref: this.#refs.of(node.ref) })
  }

  #addPod(writer: BatchWriter, pod: PodVersion): void {
    const nodeRef = pod.nodeRef === 0 ? 0 : this.#refs.of(pod.nodeRef)
    writer.addPod({ ...pod, ref: this.#refs.of(pod.ref), nodeRef })
  }

  #addVolume(writer: BatchWriter, volume: Living['volumes'][number]): void {
    const mountedPodRefs = volume.mountedPodRefs.map((ref) => this.#refs.of(ref))
    writer.addVolume({ ...volume, ref: this.#refs.of(volume.ref), mountedPodRefs })
  }

  #addBalancer(writer: BatchWriter, balancer: Living['balancers'][number]): void {
    const readyPodRefs = balancer.readyPodRefs.map((ref) => this.#refs.of(ref))
    writer.addBalancer({ ...balancer, ref: this.#refs.of(balancer.ref), readyPodRefs })
  }

  #renumbered<Sample extends { podRef: number }>(samples: readonly Sample[]): Sample[] {
    return samples.map((sample) => ({ ...sample, podRef: this.#refs.of(sample.podRef) }))
  }

  #finish(writer: BatchWriter, observedAt: number, snapshot?: SnapshotPart): Batch {
    return writer.finish(this.#options.agent(), observedAt, snapshot)
  }
}

export function countLiving({ namespaces, nodes, pods, volumes, balancers, objects }: Living): number {
  return namespaces.length + nodes.length + pods.length + volumes.length + balancers.length + objects.length
}

/** The objects between two indexes, counted over all tables. */
export function sliceLiving(living: Living, from: number, to: number): Living {
  const { namespaces, nodes, pods, volumes, balancers, objects } = living
  let before = 0
  const cut = <Version>(versions: readonly Version[]) => {
    const part = versions.slice(Math.max(0, from - before), Math.max(0, to - before))
    before += versions.length
    return part
  }
  return {
    namespaces: cut(namespaces),
    nodes: cut(nodes),
    pods: cut(pods),
    volumes: cut(volumes),
    balancers: cut(balancers),
    objects: cut(objects),
  }
}
