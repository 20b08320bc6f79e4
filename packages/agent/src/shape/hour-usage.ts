import {
  addThrottling,
  usageBucketOf,
  type ContainerEvent,
  type ContainerSample,
  type ContainerShape,
  type HourSample,
  type NodeHour,
  type PodVersion,
  type Throttling,
  type UsageFigures,
  type UsageHour,
} from '@plimsoll/contract'
import type { NodeMinute } from '../facts.ts'

/** Aggregates the samples of one hour: means per node, and histograms per container of a workload. */
export class HourUsage {
  readonly #hour: number
  /** The minutes that one sample covers. */
  readonly #sampleMinutes: number
  readonly #nodes = new Map<number, Map<number, ContainerMean>>()
  readonly #workloads = new Map<string, WorkloadContainer>()
  /** Containers by pod version, so that the workload name is built once. */
  readonly #ofPods = new Map<PodVersion, (WorkloadContainer | undefined)[]>()

  constructor(hour: number, sampleMinutes: number) {
    this.#hour = hour
    this.#sampleMinutes = sampleMinutes
  }

  addMinute({ nodeRef, samples }: NodeMinute, podOf: (ref: number) => PodVersion | undefined): void {
    const node = this.#nodes.get(nodeRef) ?? new Map<number, ContainerMean>()
    this.#nodes.set(nodeRef, node)
    for (const sample of samples) {
      addToMean(node, sample)
      this.#containerOf(podOf(sample.podRef), sample.container)?.addSample(sample, this.#sampleMinutes)
    }
  }

  /** Adds a sample of the first minutes of a pod, which are counted separately, as in live data. */
  addStart(pod: PodVersion, sample: ContainerSample): void {
    this.#containerOf(pod, sample.container)?.addStart(sample, this.#sampleMinutes)
  }

  addEvent(event: ContainerEvent, podOf: (ref: number) => PodVersion | undefined): void {
    this.#containerOf(podOf(event.podRef), event.container)?.addEvent(event)
  }

  nodeHours(): NodeHour[] {
    return [...this.#nodes].map(([nodeRef, containers]) => ({
      nodeRef,
      hour: this.#hour,
      samples: [...containers.values()].map(meanSample),
    }))
  }

  usageHours(): UsageHour[] {
    return [...this.#workloads.values()].flatMap((container) => container.figures(this.#hour) ?? [])
  }

  #containerOf(pod: PodVersion | undefined, position: number): WorkloadContainer | undefined {
    if (!pod) return undefined
    const known = this.#ofPods.get(pod) ?? pod.shape.containers.map((shape) => this.#openContainer(pod, shape))
    this.#ofPods.set(pod, known)
    return known[position]
  }

  /** Excludes init containers, because they run once and their requests are not sized. */
  #openContainer(pod: PodVersion, { name, kind }: ContainerShape): WorkloadContainer | undefined {
    if (kind === 'init') return undefined
    const key = `${pod.namespace} ${pod.workloadKind} ${pod.workloadName} ${name}`
    const container = this.#workloads.get(key) ?? new WorkloadContainer(pod, name)
    this.#workloads.set(key, container)
    return container
  }
}

type ContainerMean = { podRef: number; container: number; cpuSum: number; memorySum: number; count: number }

/** The limit of the contract. */
const containersMax = 1000

function addToMean(node: Map<number, ContainerMean>, sample: ContainerSample): void {
  const { podRef, container } = sample
  const key = podRef * containersMax + container
  const mean = node.get(key) ?? { podRef, container, cpuSum: 0, memorySum: 0, count: 0 }
  mean.cpuSum += sample.cpuMeanTenths
  mean.memorySum += sample.memoryMeanKib
  mean.count += 1
  node.set(key, mean)
}

function meanSample({ podRef, container, cpuSum, memorySum, count }: ContainerMean): HourSample {
  return {
    podRef,
    container,
    cpuMeanTenths: Math.round(cpuSum / count),
    memoryMeanKib: Math.round(memorySum / count),
  }
}

/** One container of a workload in one hour, over all its pods. */
class WorkloadContainer {
  readonly #of: Pick<UsageHour, 'namespace' | 'workloadKind' | 'workloadName' | 'container'>
  readonly #cpu = new Figures()
  readonly #memory = new Figures()
  #podSeconds = 0
  #oomKills = 0
  #restarts = 0
  #throttling: Throttling | undefined
  #startUp = { minutes: 0, cpuSum: 0, cpuMax: 0, memoryMax: 0 }

  constructor({ namespace, workloadKind, workloadName }: PodVersion, container: string) {
    this.#of = { namespace, workloadKind, workloadName, container }
  }

  addSample(sample: ContainerSample, minutes: number): void {
    this.#podSeconds += minutes * 60
    const { podRef, cpuMeanTenths, memoryMeanKib } = sample
    this.#cpu.add(podRef, cpuMeanTenths, cpuMeanTenths + sample.cpuAboveTenths, minutes)
    this.#memory.add(podRef, memoryMeanKib, memoryMeanKib + sample.memoryAboveKib, minutes)
  }

  addStart(sample: ContainerSample, minutes: number): void {
    this.#podSeconds += minutes * 60
    const { cpuMeanTenths, memoryMeanKib } = sample
    this.#startUp = {
      minutes: this.#startUp.minutes + minutes,
      cpuSum: this.#startUp.cpuSum + cpuMeanTenths * minutes,
      cpuMax: Math.max(this.#startUp.cpuMax, cpuMeanTenths + sample.cpuAboveTenths),
      memoryMax: Math.max(this.#startUp.memoryMax, memoryMeanKib + sample.memoryAboveKib),
    }
  }

  addEvent({ oomKills, restarts, throttling }: ContainerEvent): void {
    this.#oomKills += oomKills
    this.#restarts += restarts
    if (throttling) this.#throttling = addThrottling(this.#throttling, throttling)
  }

  /** Undefined: no samples in this hour. */
  figures(hour: number): UsageHour | undefined {
    if (this.#podSeconds + this.#oomKills + this.#restarts === 0) return undefined
    return {
      ...this.#of,
      hour,
      podSeconds: this.#podSeconds,
      oomKills: this.#oomKills,
      restarts: this.#restarts,
      ...(this.#throttling ? { throttling: this.#throttling } : {}),
      ...this.#start(),
      cpu: this.#cpu.finish(),
      memory: this.#memory.finish(),
    }
  }

  #start(): Pick<UsageHour, 'startUp'> {
    const { minutes, cpuSum, cpuMax, memoryMax } = this.#startUp
    return minutes === 0 ? {} : { startUp: { minutes, cpuMean: Math.round(cpuSum / minutes), cpuMax, memoryMax } }
  }
}

class Figures {
  readonly #minutesByBucket = new Map<number, number>()
  readonly #pods = new Map<number, { sum: number; count: number }>()
  #max = 0

  add(podRef: number, mean: number, max: number, minutes: number): void {
    const bucket = usageBucketOf(mean)
    this.#minutesByBucket.set(bucket, (this.#minutesByBucket.get(bucket) ?? 0) + minutes)
    const pod = this.#pods.get(podRef) ?? { sum: 0, count: 0 }
    pod.sum += mean
    pod.count += 1
    this.#pods.set(podRef, pod)
    this.#max = Math.max(this.#max, max)
  }

  finish(): UsageFigures {
    const pods = [...this.#pods.values()]
    const sum = pods.reduce((total, pod) => total + pod.sum, 0)
    const count = pods.reduce((total, pod) => total + pod.count, 0)
    const buckets = [...this.#minutesByBucket].sort(([a], [b]) => a - b)
    return {
      mean: count === 0 ? 0 : Math.round(sum / count),
      max: this.#max,
      hottest: pods.reduce((hottest, pod) => Math.max(hottest, Math.round(pod.sum / pod.count)), 0),
      buckets: buckets.map(([bucket]) => bucket),
      podMinutes: buckets.map(([, minutes]) => minutes),
    }
  }
}
