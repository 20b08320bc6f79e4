import { BatchReader, type Batch, type PodVersion, type Rejection } from '@plimsoll/contract'
import {
  makeSpanColumns,
  SECONDS_PER_HOUR,
  UNKNOWN_USAGE,
  type SpanColumns,
  type TimeSpan,
  type Usage,
} from '@plimsoll/engine'
import { absurdNode, absurdPod, absurdVolume, fromTheFuture, usageMax } from './absurd.ts'
import { allocateWindow } from './allocate-window.ts'
import { assetRows, type AssetRow } from './asset-rows.ts'
import { forgetEpochs, openEpoch } from './epochs.ts'
import { foldUsage, type FoldedUsage } from './folded-usage.ts'
import { HourSums, type NodeRow, type WorkloadRow } from './hour-sums.ts'
import type { NodeRecord, PodRecord } from './inventory.ts'
import { emptyHour, type Epoch, type FoldState, type HourState } from './fold-state.ts'
import { MinuteMask } from './minute-mask.ts'
import type { OwnerOf } from './pod-rows.ts'
import { addMinuteUse } from './minute-use.ts'

const minutesPerHour = 60
const secondsPerMinute = 60
export const microcoresPerTenth = 100

/** Hours that can still be reopened by late data; older minutes are refused. */
export const reopenableHours = 48

const spansAtFirst = 1024

const notKnown = 'that is not known'

/** How far ahead of the server's clock an agent's may be, and how old live data may become on its disk. */
const aheadSecondsMax = 10 * secondsPerMinute
const liveSecondsMax = 7 * 24 * SECONDS_PER_HOUR

export type FoldedHour = {
  /** Hours since 1970. */
  hour: number
  /** To be added to what is stored. */
  measured: { workloads: WorkloadRow[]; nodes: NodeRow[] }
  /** To replace what is stored: time in which nodes were there and nobody reported their use. */
  bridged: { workloads: WorkloadRow[]; nodes: NodeRow[] }
  /** To replace what is stored: volumes, balancers and the control plane. */
  assets: AssetRow[]
  usage: FoldedUsage
}

export type FoldedBatch = {
  rejectedRecords: number
  rejections: Rejection[]
  /** It names objects that are not known: they were reported in a batch that is missing. */
  isUnresolved: boolean
  /** Closed: it was the last that was missing, and what was unresolved can be folded again. */
  hole: 'opened' | 'closed' | 'unchanged'
}

/**
 * Turns an agent's batches into quantities per hour. The batches of an epoch must come in sequence; apart from that, the
 * same facts give the same integers whatever the order, however often they come and however they are cut into batches.
 */
export class Fold {
  readonly #state: FoldState
  #columns = makeSpanColumns(spansAtFirst)
  readonly #changedNodes = new Set<string>()
  #snapshots = 0
  #isUnresolved = false

  constructor(state: FoldState) {
    this.#state = state
  }

  /**
   * What lies too far from when it was received is refused; without that moment, nothing does. Without its number, no batch is
   * taken to be missing before it.
   */
  addBatch(epochId: string, batch: Batch, receivedAt: number = batch.observed_at, seq?: number): FoldedBatch {
    const aheadSeconds = batch.observed_at - receivedAt
    if (aheadSeconds > aheadSecondsMax) {
      const reason = `it was observed ${Math.round(aheadSeconds / secondsPerMinute)} minutes after it was received`
      const rejections = [{ table: 'observed_at', index: 0, reason }]
      return { rejectedRecords: 1, rejections, isUnresolved: false, hole: 'unchanged' }
    }
    const epoch = openEpoch(this.#state.epochs, epochId)
    const hole = seq === undefined ? 'unchanged' : epoch.holes.pass(seq, epoch.observedAt)
    const reader = new BatchReader(batch)
    this.#isUnresolved = false
    this.#addObjects(epoch, reader, batch)
    batch.hours?.hour.forEach((_hour, index) => reader.reject('hours', index, 'only back-fill is told by the hour'))
    batch.usage?.hour.forEach((_hour, index) => reader.reject('usage', index, 'only back-fill is told by the hour'))
    this.#addEvents(epoch, reader, batch.observed_at)
    this.#addMinutes(epoch, reader, batch, receivedAt)
    epoch.observedAt = Math.max(epoch.observedAt, batch.observed_at)
    if (batch.observed_at >= this.#state.watermark) this.#state.agent = batch.agent
    const versionFrom = this.#state.kubernetes.note(batch.agent.kubernetes_version, batch.observed_at)
    if (versionFrom !== undefined) this.#state.assets.noteChange(versionFrom)
    this.#begin(batch.observed_at)
    this.#state.watermark = Math.max(this.#state.watermark, batch.observed_at)
    return {
      rejectedRecords: reader.rejectedRecords,
      rejections: reader.rejections,
      isUnresolved: this.#isUnresolved,
      hole,
    }
  }

  /** Nodes that were reported or have ended since this fold began. */
  changedNodes(): NodeRecord[] {
    return [...this.#changedNodes].flatMap((uid) => this.#state.inventory.nodes.get(uid) ?? [])
  }

  /** How many snapshots have become whole since this fold began. */
  get snapshots(): number {
    return this.#snapshots
  }

  hasEndedHours(now: number): boolean {
    return this.#endedHours(now).length > 0
  }

  /** Whoever takes them writes them, in one transaction with the checkpoint: afterwards the state no longer holds them. */
  takeEndedHours(now: number): FoldedHour[] {
    const folded = this.#endedHours(now).map(([hour, state]) => this.#write(hour, state))
    this.#state.assets.takeChange()
    this.#forget()
    return folded
  }

  /** The hours to be written now: those that have ended, as far as anybody reported, or ended long ago. */
  #endedHours(now: number): [hour: number, state: HourState][] {
    const graceSeconds = 15 * secondsPerMinute
    this.#openHoursWithGaps(now)
    const { changedFrom } = this.#state.assets
    const ended = [...this.#state.hours].filter(([hour, state]) => {
      const end = (hour + 1) * SECONDS_PER_HOUR
      const isOver = this.#state.watermark >= end || now >= end + graceSeconds
      const hasNews = isChanged(state, this.#reportedMinutes(hour)) || end > changedFrom
      return isOver && end > this.#state.firstSecond && hasNews
    })
    return ended.sort(([a], [b]) => a - b)
  }

  #addObjects(epoch: Epoch, reader: BatchReader, batch: Batch): void {
    for (const namespace of reader.namespaces()) {
      epoch.uids.set(namespace.ref, namespace.uid)
      if (this.#state.assets.namespaces.add(namespace)) this.#state.assets.noteChange(namespace.from)
    }
    for (const node of this.#sensible(reader, batch, 'nodes', reader.nodes(), absurdNode)) {
      epoch.uids.set(node.ref, node.uid)
      this.#state.inventory.addNode(node)
      this.#changedNodes.add(node.uid)
    }
    for (const pod of this.#sensible(reader, batch, 'pods', reader.pods(), absurdPod)) {
      const node = this.#node(epoch, pod.nodeRef)
      if (pod.nodeRef !== 0 && !node) this.#isUnresolved = true
      epoch.uids.set(pod.ref, pod.uid)
      this.#addPod(pod, node)
    }
    this.#addAssets(epoch, reader, batch)
    for (const object of reader.objects()) {
      epoch.uids.set(object.ref, object.uid)
      this.#state.objects.add(object)
    }
    for (const { ref, at } of reader.ends()) {
      const uid = epoch.uids.get(ref)
      if (uid === undefined) this.#isUnresolved = true
      else this.#end(uid, at)
    }
    if (batch.snapshot) this.#list(epoch, batch, batch.snapshot)
  }

  #end(uid: string, at: number): void {
    if (this.#state.inventory.end(uid, at)) this.#state.assets.noteChange(at)
    this.#state.assets.end(uid, at)
    this.#state.objects.end(uid, at)
    this.#changedNodes.add(uid)
  }

  /** One record that cannot be meant is refused and said; the others are not harmed. */
  #sensible<Version extends { ref: number }>(
    reader: BatchReader,
    batch: Batch,
    table: 'nodes' | 'pods' | 'volumes' | 'balancers',
    versions: Version[],
    absurdityOf: (version: Version, observedAt: number) => string | undefined,
  ): Version[] {
    // What is told of the past says nothing of when it was seen.
    const observedAt = batch.observed_at === 0 ? Number.POSITIVE_INFINITY : batch.observed_at
    return versions.filter((version) => {
      const reason = absurdityOf(version, observedAt)
      if (reason !== undefined) reader.reject(table, batch[table].ref.indexOf(version.ref), reason)
      return reason === undefined
    })
  }

  /** A pod that has finished uses its volumes no longer. */
  #addPod(facts: PodVersion, node: NodeRecord | undefined): void {
    const before = this.#state.inventory.pods.get(facts.uid)?.finishedAt
    const { finishedAt } = this.#state.inventory.addPod(facts, node)
    if (before !== undefined && finishedAt < before) this.#state.assets.noteChange(finishedAt)
  }

  /** Pods come before what they use. One that is not known may have been refused, and then nothing of it is charged. */
  #addAssets(epoch: Epoch, reader: BatchReader, batch: Batch): void {
    const usersOf = (refs: readonly number[]) => {
      const users = refs.flatMap((ref) => this.#pod(epoch, ref)?.uid ?? [])
      if (users.length < refs.length) this.#isUnresolved = true
      return users
    }
    for (const volume of this.#sensible(reader, batch, 'volumes', reader.volumes(), absurdVolume)) {
      epoch.uids.set(volume.ref, volume.uid)
      this.#state.assets.addVolume(volume, usersOf(volume.mountedPodRefs))
    }
    for (const balancer of this.#sensible(reader, batch, 'balancers', reader.balancers(), fromTheFuture)) {
      epoch.uids.set(balancer.ref, balancer.uid)
      this.#state.assets.addBalancer(balancer, usersOf(balancer.readyPodRefs))
    }
  }

  /** A snapshot takes effect when all its parts are there. */
  #list(epoch: Epoch, batch: Batch, { id, part, parts, observed_at: at }: NonNullable<Batch['snapshot']>): void {
    const listing = epoch.listing?.id === id ? epoch.listing : { id, parts: new Set<number>(), uids: new Set<string>() }
    epoch.listing = listing
    listing.parts.add(part)
    const { namespaces, nodes, pods, volumes, balancers, objects } = batch
    for (const { ref: refs } of [nodes, pods, volumes, balancers, namespaces ?? none, objects ?? none]) {
      for (const ref of refs) listing.uids.add(epoch.uids.get(ref) ?? '')
    }
    if (listing.parts.size < parts) return
    this.#state.assets.noteChange(this.#state.inventory.settle(listing.uids, at))
    this.#state.assets.settle(listing.uids, at)
    this.#state.objects.settle(listing.uids, at)
    epoch.holes.settle(at)
    epoch.listing = undefined
    this.#snapshots += 1
    for (const uid of this.#state.inventory.nodes.keys()) this.#changedNodes.add(uid)
  }

  #node(epoch: Epoch, ref: number): NodeRecord | undefined {
    const uid = epoch.uids.get(ref)
    return uid === undefined ? undefined : this.#state.inventory.nodes.get(uid)
  }

  #addMinutes(
    epoch: Epoch,
    reader: BatchReader,
    { minutes, observed_at: observedAt }: Batch,
    receivedAt: number,
  ): void {
    let first = 0
    minutes.node_ref.forEach((ref, index) => {
      const last = first + (minutes.sample_count[index] ?? 0)
      const wrong = this.#addMinute(epoch, minutes, {
        ref,
        minute: minutes.minute[index] ?? 0,
        first,
        last,
        observedAt,
        receivedAt,
      })
      if (wrong !== undefined) reader.reject('minutes', index, wrong)
      if (wrong?.endsWith(notKnown)) this.#isUnresolved = true
      first = last
    })
  }

  /** Says why, when the minute cannot be used. It is then bridged like a minute that never came. */
  #addMinute(epoch: Epoch, columns: Batch['minutes'], at: NodeMinute): string | undefined {
    const node = this.#node(epoch, at.ref)
    if (!node) return `it is about a node ${notKnown}`
    const hourNumber = Math.floor(at.minute / minutesPerHour)
    if ((at.minute + 1) * secondsPerMinute > at.observedAt + secondsPerMinute) return 'it lies in the future'
    if (epoch.holes.covers(at.minute * secondsPerMinute)) return `it follows a batch ${notKnown}`
    if (at.minute * secondsPerMinute < at.receivedAt - liveSecondsMax) return 'it is older than 7 days'
    if (hourNumber < this.#oldestHour()) return `it is older than ${reopenableHours} hours`
    const usage = readSamples(columns, at, (ref) => this.#pod(epoch, ref))
    if (typeof usage === 'string') return usage

    const hour = this.#hour(hourNumber)
    const mask = maskOf(hour, node.uid)
    const minute = at.minute % minutesPerHour
    if (mask.has(minute)) return undefined
    mask.add(minute)
    const window = { from: at.minute * secondsPerMinute, to: (at.minute + 1) * secondsPerMinute }
    this.#begin(window.from)
    const usageOf = (pod: PodRecord) => usage.get(pod) ?? noUsage
    allocateWindow(this.#columnsFor(node), node, window, usageOf, this.#ownerAt(window.from), hour.added)
    addMinuteUse(columns, at, (ref) => this.#pod(epoch, ref), hour.usage, this.#state.hours.get(hourNumber - 1)?.usage)
    return undefined
  }

  #begin(second: number): void {
    if (second >= this.#state.firstSecond) return
    this.#state.firstSecond = second
    this.#state.assets.noteChange(second)
  }

  #ownerAt(second: number): OwnerOf {
    const { namespaces } = this.#state.assets
    return (pod) => namespaces.ownerAt(pod, second)
  }

  /** Before the minutes: a restart says which of them belong to a start. */
  #addEvents(epoch: Epoch, reader: BatchReader, observedAt: number): void {
    for (const [index, event] of reader.events().entries()) {
      const hour = Math.floor(event.at / SECONDS_PER_HOUR)
      const pod = this.#pod(epoch, event.podRef)
      if (!pod) this.#isUnresolved = true
      if (!pod) reader.reject('events', index, `it is about a pod ${notKnown}`)
      else if (event.at > observedAt + secondsPerMinute) reader.reject('events', index, 'it lies in the future')
      else if (hour < this.#oldestHour()) reader.reject('events', index, `it is older than ${reopenableHours} hours`)
      else this.#hour(hour).usage.addEvent(pod.uid, event)
    }
  }

  #pod(epoch: Epoch, ref: number): PodRecord | undefined {
    const uid = epoch.uids.get(ref)
    return uid === undefined ? undefined : this.#state.inventory.pods.get(uid)
  }

  #hour(hour: number): HourState {
    const state = this.#state.hours.get(hour) ?? emptyHour()
    this.#state.hours.set(hour, state)
    return state
  }

  /** Hours in which nothing was measured at all still have nodes that were paid for. */
  #openHoursWithGaps(now: number): void {
    const last = Math.floor(Math.min(this.#state.watermark, now) / SECONDS_PER_HOUR)
    const first = Math.max(this.#oldestHour(), Math.floor(this.#state.firstSecond / SECONDS_PER_HOUR))
    for (let hour = first; hour < last; hour += 1) this.#hour(hour)
  }

  #reportedMinutes(hour: number): number {
    const minutes = Math.floor((this.#state.watermark - hour * SECONDS_PER_HOUR) / secondsPerMinute)
    return Math.max(0, Math.min(minutesPerHour, minutes))
  }

  #write(hour: number, state: HourState): FoldedHour {
    const reported = this.#reportedMinutes(hour)
    const bridged = this.#bridge(hour, state, reported)
    const measured = state.added
    state.added = new HourSums()
    state.bridgedMinutes = reported
    const usage = this.#takeUsage(hour, state, { measured, bridged })
    const assets = assetRows(this.#state, this.#knownPart(hour))
    return { hour, measured: rowsOf(measured), bridged: rowsOf(bridged), assets, usage }
  }

  /** From when somebody was there up to the last report. */
  #knownPart(hour: number): TimeSpan {
    const start = hour * SECONDS_PER_HOUR
    return {
      from: Math.max(start, this.#state.firstSecond),
      to: start + this.#reportedMinutes(hour) * secondsPerMinute,
    }
  }

  #takeUsage(hour: number, state: HourState, { measured, bridged }: Record<'measured' | 'bridged', HourSums>) {
    const reported = this.#knownPart(hour)
    const { usage } = state
    state.usage = usage.afterWriting()
    return foldUsage(this.#state.inventory, { usage, measured: measured.pods, bridged: bridged.pods, reported })
  }

  /** A node that was there before and after a hole was there during it; what ran on it is paid for, its use is not known. */
  #bridge(hour: number, state: HourState, reported: number): HourSums {
    const sums = new HourSums()
    for (const node of this.#state.inventory.nodes.values()) {
      const mask = state.masks.get(node.uid) ?? new MinuteMask()
      for (const gap of mask.gaps(reported)) {
        const start = hour * SECONDS_PER_HOUR
        const from = Math.max(this.#state.firstSecond, start + gap.from * secondsPerMinute)
        const window = { from, to: start + gap.to * secondsPerMinute }
        allocateWindow(this.#columnsFor(node), node, window, () => noUsage, this.#ownerAt(window.from), sums)
      }
    }
    return sums
  }

  /** Wide enough for everything that ran on the node within memory, should it all have run in one window. */
  #columnsFor({ pods }: NodeRecord): SpanColumns {
    let spans = 0
    for (const { versions } of pods) for (const { names } of versions) spans += names.length + 1
    if (spans > this.#columns.from.length) this.#columns = makeSpanColumns(2 * spans)
    return this.#columns
  }

  #oldestHour(): number {
    return Math.floor(this.#state.watermark / SECONDS_PER_HOUR) - reopenableHours
  }

  #forget(): void {
    const oldest = this.#oldestHour()
    for (const hour of this.#state.hours.keys()) if (hour < oldest) this.#state.hours.delete(hour)
    this.#state.inventory.forgetBefore(oldest * SECONDS_PER_HOUR)
    this.#state.assets.forgetBefore(oldest * SECONDS_PER_HOUR)
    this.#state.objects.forgetBefore(oldest * SECONDS_PER_HOUR)
    forgetEpochs(this.#state, oldest * SECONDS_PER_HOUR)
  }
}

export type NodeMinute = {
  ref: number
  minute: number
  first: number
  last: number
  observedAt: number
  receivedAt: number
}

const none = { ref: [] }

const noUsage: ReadonlyMap<string, Usage> = new Map()

const isChanged = (state: HourState, reported: number) =>
  state.added.nodes.size > 0 || state.bridgedMinutes < reported || state.usage.hasNews

export const rowsOf = ({ workloads, nodes }: HourSums) => ({ workloads, nodes: [...nodes.values()] })

function maskOf({ masks }: HourState, uid: string): MinuteMask {
  const mask = masks.get(uid) ?? new MinuteMask()
  masks.set(uid, mask)
  return mask
}

/** All or nothing: with a pod that is not known, what else runs on the node is not known either. */
function readSamples(
  columns: Batch['minutes'],
  { first, last }: NodeMinute,
  podOf: (ref: number) => PodRecord | undefined,
): Map<PodRecord, Map<string, Usage>> | string {
  const usage = new Map<PodRecord, Map<string, Usage>>()
  for (let index = first; index < last; index += 1) {
    const pod = podOf(columns.pod_ref[index] ?? 0)
    if (!pod) return `it names a pod ${notKnown}`
    const name = pod.versions.at(-1)?.names[columns.container[index] ?? 0]
    const cpu = columns.cpu_mean[index]
    const memory = columns.memory_mean[index]
    if (name === undefined) return `it names a container ${notKnown}`
    const isSensible =
      isAmount(columns.cpu_above[index], usageMax.cpu) && isAmount(columns.memory_above[index], usageMax.memory)
    if (!isAmount(cpu, usageMax.cpu) || !isAmount(memory, usageMax.memory) || !isSensible)
      return 'it holds a use that is not a sensible number'
    const ofPod = usage.get(pod) ?? new Map<string, Usage>()
    usage.set(pod, ofPod)
    ofPod.set(name, { ...UNKNOWN_USAGE, cpu: cpu * microcoresPerTenth, memory })
  }
  return usage
}

const isAmount = (value: number | undefined, max: number): value is number =>
  Number.isSafeInteger(value) && (value ?? -1) >= 0 && (value ?? 0) <= max
