import { usageBucketOf, usageBuckets, type ContainerEvent } from '@plimsoll/contract'
import { CountTable } from './count-table.ts'
import type { PodRecord } from './inventory.ts'
import { NumberRows } from './number-rows.ts'
import { ThrottlingReports, type ContainerThrottling, type SavedThrottling } from './throttling-reports.ts'
import { emptyHistogram, type UsageHistogram } from './usage-histogram.ts'
import { VarintReader, VarintWriter } from './varints.ts'

/** Usage is counted separately for this time after a start, because start-up usage says nothing about later demand. */
export const startUpSeconds = 300

/** More containers than any cluster has. Further containers are merged under a separate name. */
const containersMax = 100_000
const others: ContainerKey = ['__other__', '__other__', '__other__', '__other__']

export type ContainerKey = [namespace: string, workloadKind: string, workloadName: string, container: string]

/** Tenths of a millicore or KiB, per minute of a pod. */
export type UseFigures = { sum: number; max: number; histogram: UsageHistogram }

export type StartUp = { minutes: number; cpuSum: number; cpuMax: number; memoryMax: number }

export type ContainerUse = { key: ContainerKey; cpu: UseFigures; memory: UseFigures; startUp: StartUp }

/** By container name: minutes of a pod after start-up, and the usage in them. */
export type SteadyUse = Record<string, [minutes: number, cpuSum: number, memorySum: number]>

export type StoredEvent = { podUid: string; container: number; at: number; oomKills: number; restarts: number }

const figure = {
  cpuSum: 0,
  cpuMax: 1,
  memorySum: 2,
  memoryMax: 3,
  minutes: 4,
  startCpuSum: 5,
  startCpuMax: 6,
  startMemoryMax: 7,
}
const figureWidth = 8
const steadyWidth = 3
const bucketBits = 10

type PodEntry = { row: number; containers: number[]; names: readonly string[] }

export type SavedUsage = {
  containers: ContainerKey[]
  figures: string
  pods: [uid: string, containers: number[], names: readonly string[]][]
  steady: string
  cpu: string
  memory: string
  events: StoredEvent[]
  /** Absent from states of older versions. */
  throttling?: SavedThrottling
  hasNews: boolean
}

/**
 * Accumulated container usage of one hour. Everything is a sum, a maximum or a set, so order and batches do not matter.
 * Look-ups use small integers, because they run for every container every minute.
 */
export class UsageSums {
  readonly #keys = new Map<string, number>()
  readonly #containers: ContainerKey[] = []
  #figures = new NumberRows(figureWidth)
  readonly #pods = new Map<string, PodEntry>()
  #steady = new NumberRows(steadyWidth)
  #cpu = new CountTable()
  #memory = new CountTable()
  readonly #events = new Map<string, StoredEvent>()
  readonly #restarts = new Map<string, StoredEvent[]>()
  #throttling = new ThrottlingReports()
  #hasNews = false

  /** Whether the hour has changed since it was last written. */
  get hasNews(): boolean {
    return this.#hasNews
  }

  /** Starts the samples of one pod in one minute. Samples are added by the returned entry and their position. */
  pod(pod: PodRecord): PodEntry {
    this.#hasNews = true
    const known = this.#pods.get(pod.uid)
    if (known) return known
    const names = pod.versions.at(-1)?.names ?? []
    const containers = names.map((name) => this.#number([pod.namespace, pod.workloadKind, pod.workloadName, name]))
    const entry = { row: this.#steady.push(names.length), containers, names }
    this.#pods.set(pod.uid, entry)
    return entry
  }

  /** CPU counts by the mean of the minute, memory by its highest sample, because a single peak of memory must fit. */
  // eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
  addSteady(entry: PodEntry, container: number, cpu: number, cpuMax: number, memory: number, memoryMax: number): void {
    const number = entry.containers[container]
    if (number === undefined) return
    this.#figures.add(number, figure.cpuSum, cpu)
    this.#figures.raise(number, figure.cpuMax, cpuMax)
    this.#figures.add(number, figure.memorySum, memory)
    this.#figures.raise(number, figure.memoryMax, memoryMax)
    const row = entry.row + container
    this.#steady.add(row, 0, 1)
    this.#steady.add(row, 1, cpu)
    this.#steady.add(row, 2, memory)
    const key = number << bucketBits
    this.#cpu.add(key + Math.min(usageBucketOf(cpu), usageBuckets.cpu.count - 1), 1)
    this.#memory.add(key + usageBucketOf(memoryMax), 1)
  }

  // eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
  addStartUp(entry: PodEntry, container: number, cpu: number, cpuMax: number, memoryMax: number): void {
    const number = entry.containers[container]
    if (number === undefined) return
    this.#figures.add(number, figure.minutes, 1)
    this.#figures.add(number, figure.startCpuSum, cpu)
    this.#figures.raise(number, figure.startCpuMax, cpuMax)
    this.#figures.raise(number, figure.startMemoryMax, memoryMax)
  }

  /**
   * A repeated event, or one from two agents, counts once. A throttling report and a failure of the same second are two
   * events.
   */
  addEvent(podUid: string, { container, at, oomKills, restarts, throttling }: ContainerEvent): void {
    if (throttling && this.#throttling.add(podUid, container, at, throttling)) this.#hasNews = true
    if (oomKills + restarts === 0) return
    const key = `${podUid} ${container} ${at}`
    if (this.#events.has(key)) return
    this.#hasNews = true
    const event = { podUid, container, at, oomKills, restarts }
    this.#events.set(key, event)
    if (restarts > 0) this.#restarts.set(podUid, [...(this.#restarts.get(podUid) ?? []), event])
  }

  get hasRestarts(): boolean {
    return this.#restarts.size > 0
  }

  /** Whether a restart in this hour is recent enough that the minute counts as start-up. */
  isAfterRestart(podUid: string, container: number, from: number, to: number): boolean {
    const restarts = this.#restarts.get(podUid) ?? []
    return restarts.some((each) => each.container === container && from < each.at + startUpSeconds && to > each.at)
  }

  get events(): Iterable<StoredEvent> {
    return this.#events.values()
  }

  get throttling(): Iterable<ContainerThrottling> {
    return this.#throttling.each()
  }

  get containers(): ContainerUse[] {
    const cpu = histogramsOf(this.#cpu)
    const memory = histogramsOf(this.#memory)
    const of = (number: number, column: number) => this.#figures.get(number, column)
    return this.#containers.map((key, number) => ({
      key,
      cpu: {
        sum: of(number, figure.cpuSum),
        max: of(number, figure.cpuMax),
        histogram: cpu.get(number) ?? emptyHistogram,
      },
      memory: {
        sum: of(number, figure.memorySum),
        max: of(number, figure.memoryMax),
        histogram: memory.get(number) ?? emptyHistogram,
      },
      startUp: {
        minutes: of(number, figure.minutes),
        cpuSum: of(number, figure.startCpuSum),
        cpuMax: of(number, figure.startCpuMax),
        memoryMax: of(number, figure.startMemoryMax),
      },
    }))
  }

  steadyOf(podUid: string): SteadyUse {
    const entry = this.#pods.get(podUid)
    const steady: SteadyUse = {}
    entry?.names.forEach((name, position) => {
      const row = entry.row + position
      const minutes = this.#steady.get(row, 0)
      if (minutes > 0) steady[name] = [minutes, this.#steady.get(row, 1), this.#steady.get(row, 2)]
    })
    return steady
  }

  /** The sums after the hour was written: no measurements, but its events, so that no event counts twice. */
  afterWriting(): UsageSums {
    const next = new UsageSums()
    for (const event of this.#events.values()) next.addEvent(event.podUid, { ...event, podRef: 0 })
    next.#throttling = ThrottlingReports.load(this.#throttling.save())
    next.#hasNews = false
    return next
  }

  save(): SavedUsage {
    return {
      containers: this.#containers,
      figures: this.#figures.save(),
      pods: [...this.#pods].map(([uid, { containers, names }]) => [uid, containers, names]),
      steady: this.#steady.save(),
      cpu: saveCounts(this.#cpu),
      memory: saveCounts(this.#memory),
      events: [...this.#events.values()],
      throttling: this.#throttling.save(),
      hasNews: this.#hasNews,
    }
  }

  static load(saved: SavedUsage): UsageSums {
    const sums = new UsageSums()
    for (const key of saved.containers) sums.#number(key)
    sums.#figures = NumberRows.load(figureWidth, saved.figures)
    let row = 0
    for (const [uid, containers, names] of saved.pods) {
      sums.#pods.set(uid, { row, containers, names })
      row += names.length
    }
    sums.#steady = NumberRows.load(steadyWidth, saved.steady)
    sums.#cpu = loadCounts(saved.cpu)
    sums.#memory = loadCounts(saved.memory)
    for (const event of saved.events) sums.addEvent(event.podUid, { ...event, podRef: 0 })
    sums.#throttling = ThrottlingReports.load(saved.throttling ?? [])
    sums.#hasNews = saved.hasNews
    return sums
  }

  #number(wanted: ContainerKey): number {
    const key = this.#containers.length < containersMax || this.#keys.has(keyText(wanted)) ? wanted : others
    const known = this.#keys.get(keyText(key))
    if (known !== undefined) return known
    this.#keys.set(keyText(key), this.#containers.length)
    this.#figures.push()
    return this.#containers.push(key) - 1
  }
}

export const keyText = (key: ContainerKey) => key.join('\n')

function histogramsOf(table: CountTable): Map<number, { buckets: number[]; counts: number[] }> {
  const histograms = new Map<number, { buckets: number[]; counts: number[] }>()
  table.forEach((key, count) => {
    const number = key >>> bucketBits
    const histogram = histograms.get(number) ?? { buckets: [], counts: [] }
    histograms.set(number, histogram)
    histogram.buckets.push(key & ((1 << bucketBits) - 1))
    histogram.counts.push(count)
  })
  return histograms
}

function saveCounts(table: CountTable): string {
  const writer = new VarintWriter()
  let before = 0
  table.forEach((key, count) => {
    writer.write(key - before)
    writer.write(count)
    before = key
  })
  return writer.finish().toString('base64')
}

function loadCounts(saved: string): CountTable {
  const table = new CountTable()
  const reader = new VarintReader(Buffer.from(saved, 'base64'))
  let key = 0
  while (!reader.isAtEnd) {
    key += reader.read()
    table.add(key, reader.read())
  }
  return table
}
