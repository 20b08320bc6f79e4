import { BatchReader, type Batch, type PodVersion, type Rejection } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { absurdNode, absurdPod, absurdVolume, fromTheFuture } from './absurd.ts'
import { addMinutes, notKnown } from './add-minutes.ts'
import { openEpoch } from './epochs.ts'
import { begin, hourOf, nodeOf, oldestHour, podOf, reopenableHours, type Epoch, type FoldState } from './fold-state.ts'
import {
  endedHours,
  type FoldedHour,
  finaliseHour,
  forgetOld,
  hasWholeHour,
  openHour,
  type OpenHourQuantities,
} from './finalise-hours.ts'
import type { NodeRecord } from './inventory.ts'
import { LateObjects } from './late-objects.ts'
import { listSnapshot } from './list-snapshot.ts'
import { WindowAllocator } from './window-allocator.ts'

const secondsPerMinute = 60

/** The most that the clock of an agent may be ahead of the clock of the server. */
const aheadSecondsMax = 10 * secondsPerMinute

export type FoldedBatch = {
  rejectedRecords: number
  rejections: Rejection[]
  /** The batch names unknown objects, which were reported in a missing batch. */
  isUnresolved: boolean
  /** Closed: this was the last missing batch, and unresolved batches can be folded again. */
  gap: 'opened' | 'closed' | 'unchanged'
}

/**
 * Turns the batches of an agent into quantities per hour. The batches of an epoch must come in sequence. Otherwise the
 * same facts give the same integers in any order, in any number of repetitions and in any batches.
 */
export class Fold {
  readonly #state: FoldState
  readonly #allocator: WindowAllocator
  readonly #changedNodes = new Set<string>()
  #snapshots = 0
  #isUnresolved = false

  constructor(state: FoldState) {
    this.#state = state
    this.#allocator = new WindowAllocator(state)
  }

  /**
   * Rejects data too far from `receivedAt`; without it, nothing is rejected. Without a sequence number, no earlier
   * batch counts as missing.
   */
  addBatch(epochId: string, batch: Batch, receivedAt: number = batch.observed_at, seq?: number): FoldedBatch {
    const aheadSeconds = batch.observed_at - receivedAt
    if (aheadSeconds > aheadSecondsMax) {
      const reason = `the agent clock is ${Math.round(aheadSeconds / secondsPerMinute)} minutes ahead of the server clock`
      const rejections = [{ table: 'observed_at', index: 0, reason }]
      return { rejectedRecords: 1, rejections, isUnresolved: false, gap: 'unchanged' }
    }
    const epoch = openEpoch(this.#state.epochs, epochId)
    const gap = seq === undefined ? 'unchanged' : epoch.gaps.pass(seq, epoch.observedAt)
    const reader = new BatchReader(batch)
    this.#isUnresolved = false
    this.#addObjects(epoch, reader, batch)
    batch.hours?.hour.forEach((_hour, index) => reader.reject('hours', index, 'only a backfill batch may use hours'))
    batch.usage?.hour.forEach((_hour, index) => reader.reject('usage', index, 'only a backfill batch may use hours'))
    this.#addEvents(epoch, reader, batch.observed_at)
    const minutes = { batch, reader, epoch, receivedAt }
    if (addMinutes(this.#state, this.#allocator, minutes)) this.#isUnresolved = true
    epoch.observedAt = Math.max(epoch.observedAt, batch.observed_at)
    if (batch.observed_at >= this.#state.watermark) this.#state.agent = batch.agent
    const versionFrom = this.#state.kubernetes.note(batch.agent.kubernetes_version, batch.observed_at)
    if (versionFrom !== undefined) this.#state.cloudResources.noteChange(versionFrom)
    begin(this.#state, batch.observed_at)
    this.#state.watermark = Math.max(this.#state.watermark, batch.observed_at)
    return {
      rejectedRecords: reader.rejectedRecords,
      rejections: reader.rejections,
      isUnresolved: this.#isUnresolved,
      gap,
    }
  }

  /** Nodes that were reported or have ended since this fold began. */
  changedNodes(): NodeRecord[] {
    return [...this.#changedNodes].flatMap((uid) => this.#state.inventory.nodes.get(uid) ?? [])
  }

  /** Number of snapshots completed since this fold began. */
  get snapshots(): number {
    return this.#snapshots
  }

  hasEndedHours(now: number): boolean {
    return endedHours(this.#state, now).length > 0
  }

  hasWholeHour(now: number): boolean {
    return hasWholeHour(this.#state, now)
  }

  /** Undefined before its first complete minute. */
  openHour(): OpenHourQuantities | undefined {
    return openHour(this.#state, this.#allocator)
  }

  /** The caller writes the hours in one transaction with the checkpoint. The state then no longer holds them. */
  takeEndedHours(now: number): FoldedHour[] {
    const ended = endedHours(this.#state, now)
    const folded = ended.map(([hour, own]) => finaliseHour(this.#state, this.#allocator, hour, own))
    this.#state.cloudResources.takeChange()
    forgetOld(this.#state)
    return folded
  }

  #addObjects(epoch: Epoch, reader: BatchReader, batch: Batch): void {
    for (const namespace of reader.namespaces()) {
      epoch.uids.set(namespace.ref, namespace.uid)
      if (this.#state.cloudResources.namespaces.add(namespace)) this.#state.cloudResources.noteChange(namespace.from)
    }
    const late = new LateObjects(this.#state, batch.observed_at)
    for (const node of this.#sensible(reader, batch, {
      table: 'nodes',
      versions: reader.nodes(),
      absurdityOf: absurdNode,
    })) {
      epoch.uids.set(node.ref, node.uid)
      late.note(node.uid)
      this.#state.inventory.addNode(node)
      this.#changedNodes.add(node.uid)
    }
    for (const pod of this.#sensible(reader, batch, {
      table: 'pods',
      versions: reader.pods(),
      absurdityOf: absurdPod,
    })) {
      const node = nodeOf(this.#state, epoch, pod.nodeRef)
      if (pod.nodeRef !== 0 && !node) this.#isUnresolved = true
      epoch.uids.set(pod.ref, pod.uid)
      late.note(pod.uid)
      this.#addPod(pod, node)
    }
    late.miss()
    this.#addCloudResources(epoch, reader, batch)
    for (const object of reader.objects()) {
      epoch.uids.set(object.ref, object.uid)
      this.#state.objects.add(object)
    }
    for (const { ref, at } of reader.ends()) {
      const uid = epoch.uids.get(ref)
      if (uid === undefined) this.#isUnresolved = true
      else this.#end(uid, at)
    }
    if (batch.snapshot && listSnapshot(this.#state, epoch, batch, batch.snapshot)) {
      this.#snapshots += 1
      for (const uid of this.#state.inventory.nodes.keys()) this.#changedNodes.add(uid)
    }
  }

  #end(uid: string, at: number): void {
    if (this.#state.inventory.end(uid, at)) this.#state.cloudResources.noteChange(at)
    this.#state.cloudResources.end(uid, at)
    this.#state.objects.end(uid, at)
    this.#changedNodes.add(uid)
  }

  /** An implausible record is rejected with a reason. The other records are accepted. */
  #sensible<Version extends { ref: number }>(
    reader: BatchReader,
    batch: Batch,
    {
      table,
      versions,
      absurdityOf,
    }: {
      table: 'nodes' | 'pods' | 'volumes' | 'balancers'
      versions: Version[]
      absurdityOf: (version: Version, observedAt: number) => string | undefined
    },
  ): Version[] {
    // History has no time of observation.
    const observedAt = batch.observed_at === 0 ? Number.POSITIVE_INFINITY : batch.observed_at
    return versions.filter((version) => {
      const reason = absurdityOf(version, observedAt)
      if (reason !== undefined) reader.reject(table, batch[table].ref.indexOf(version.ref), reason)
      return reason === undefined
    })
  }

  /** A finished pod no longer uses its volumes. */
  #addPod(facts: PodVersion, node: NodeRecord | undefined): void {
    const before = this.#state.inventory.pods.get(facts.uid)?.finishedAt
    const { finishedAt } = this.#state.inventory.addPod(facts, node)
    if (before !== undefined && finishedAt < before) this.#state.cloudResources.noteChange(finishedAt)
  }

  /** Pods are read before the resources that they use. An unknown pod may have been rejected and is not charged. */
  #addCloudResources(epoch: Epoch, reader: BatchReader, batch: Batch): void {
    const usersOf = (refs: readonly number[]) => {
      const users = refs.flatMap((ref) => podOf(this.#state, epoch, ref)?.uid ?? [])
      if (users.length < refs.length) this.#isUnresolved = true
      return users
    }
    for (const volume of this.#sensible(reader, batch, {
      table: 'volumes',
      versions: reader.volumes(),
      absurdityOf: absurdVolume,
    })) {
      epoch.uids.set(volume.ref, volume.uid)
      this.#state.cloudResources.addVolume(volume, usersOf(volume.mountedPodRefs))
    }
    for (const balancer of this.#sensible(reader, batch, {
      table: 'balancers',
      versions: reader.balancers(),
      absurdityOf: fromTheFuture,
    })) {
      epoch.uids.set(balancer.ref, balancer.uid)
      this.#state.cloudResources.addBalancer(balancer, usersOf(balancer.readyPodRefs))
    }
  }

  /** Events are read before minutes, because a restart decides which minutes count as start-up. */
  #addEvents(epoch: Epoch, reader: BatchReader, observedAt: number): void {
    for (const [index, event] of reader.events().entries()) {
      const hour = Math.floor(event.at / SECONDS_PER_HOUR)
      const pod = podOf(this.#state, epoch, event.podRef)
      if (!pod) this.#isUnresolved = true
      if (!pod) reader.reject('events', index, `the pod ${notKnown}`)
      else if (event.at > observedAt + secondsPerMinute) reader.reject('events', index, 'the time is in the future')
      else if (hour < oldestHour(this.#state)) reader.reject('events', index, `older than ${reopenableHours} hours`)
      else hourOf(this.#state, hour).usage.addEvent(pod.uid, event)
    }
  }
}
