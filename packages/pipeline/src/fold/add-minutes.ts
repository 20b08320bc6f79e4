import type { Batch, BatchReader } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { UNKNOWN_USAGE, type Usage } from '@plimsoll/engine/allocation'
import { usageMax } from './absurd.ts'
import {
  begin,
  hourOf,
  nodeOf,
  oldestHour,
  podOf,
  reopenableHours,
  type Epoch,
  type FoldState,
  type HourState,
} from './fold-state.ts'
import type { PodRecord } from './inventory.ts'
import { LastSeen } from './last-seen.ts'
import { MinuteMask } from './minute-mask.ts'
import { addMinuteUse } from './minute-use.ts'
import { noUsage, type WindowAllocator } from './window-allocator.ts'

const minutesPerHour = 60
const secondsPerMinute = 60
export const microcoresPerTenth = 100

/** Maximum age of live data in the disk buffer of an agent. */
const liveDaysMax = 7
const liveSecondsMax = liveDaysMax * 24 * SECONDS_PER_HOUR

/** Suffix of every reason that a missing batch may resolve later. */
export const notKnown = 'is unknown'

type Minutes = { batch: Batch; reader: BatchReader; epoch: Epoch; receivedAt: number }

type NodeMinute = { ref: number; minute: number; first: number; last: number }

/** Returns whether some minutes name unknown objects. */
export function addMinutes(state: FoldState, allocator: WindowAllocator, received: Minutes): boolean {
  const { minutes } = received.batch
  noteLate(state, minutes)
  let first = 0
  let isUnresolved = false
  minutes.node_ref.forEach((ref, index) => {
    const last = first + (minutes.sample_count[index] ?? 0)
    const at = { ref, minute: minutes.minute[index] ?? 0, first, last }
    const wrong = tooEarlyOrLate(state, received, at) ?? addMinute(state, allocator, received, at)
    if (wrong !== undefined) received.reader.reject('minutes', index, wrong)
    if (wrong?.endsWith(notKnown)) isUnresolved = true
    first = last
  })
  return isUnresolved
}

/** Objects that a later snapshot did not list were still there in this minute, so more of the gap is known. */
function noteLate(state: FoldState, { minute: minutes }: Batch['minutes']): void {
  const from = secondsPerMinute * minutes.reduce((least, minute) => Math.min(least, minute), Number.POSITIVE_INFINITY)
  if (from < state.inventory.lastMissedAt) state.cloudResources.noteChange(new LastSeen(state).before(from))
}

/** The reason why a minute cannot be used. The minute is then bridged like a missing one. */
function tooEarlyOrLate(state: FoldState, { batch, epoch, receivedAt }: Minutes, at: NodeMinute): string | undefined {
  const from = at.minute * secondsPerMinute
  if (!nodeOf(state, epoch, at.ref)) return `the node ${notKnown}`
  if (from > batch.observed_at) return 'the time is in the future'
  if (epoch.gaps.covers(from)) return `an earlier batch ${notKnown}`
  if (from < receivedAt - liveSecondsMax) return `older than ${liveDaysMax} days`
  return Math.floor(at.minute / minutesPerHour) < oldestHour(state) ? `older than ${reopenableHours} hours` : undefined
}

function addMinute(
  state: FoldState,
  allocator: WindowAllocator,
  { batch: { minutes }, epoch }: Minutes,
  at: NodeMinute,
): string | undefined {
  const node = nodeOf(state, epoch, at.ref)
  if (!node) return undefined
  const podOfRef = (ref: number) => podOf(state, epoch, ref)
  const usage = readSamples(minutes, at, podOfRef)
  if (typeof usage === 'string') return usage

  const hourNumber = Math.floor(at.minute / minutesPerHour)
  const hour = hourOf(state, hourNumber)
  const mask = maskOf(hour, node.uid)
  const minute = at.minute % minutesPerHour
  if (mask.has(minute)) return undefined
  mask.add(minute)
  const window = { from: at.minute * secondsPerMinute, to: (at.minute + 1) * secondsPerMinute }
  begin(state, window.from)
  allocator.allocate(node, window, { usageOf: (pod) => usage.get(pod) ?? noUsage, sums: hour.added })
  addMinuteUse(minutes, at, { podOf: podOfRef, usage: hour.usage, hourBefore: state.hours.get(hourNumber - 1)?.usage })
  return undefined
}

function maskOf({ masks }: HourState, uid: string): MinuteMask {
  const mask = masks.get(uid) ?? new MinuteMask()
  masks.set(uid, mask)
  return mask
}

/** All or nothing: with an unknown pod, the other usage on the node is incomplete. */
function readSamples(
  columns: Batch['minutes'],
  { first, last }: NodeMinute,
  podOf: (ref: number) => PodRecord | undefined,
): Map<PodRecord, Map<string, Usage>> | string {
  const usage = new Map<PodRecord, Map<string, Usage>>()
  for (let index = first; index < last; index += 1) {
    const pod = podOf(columns.pod_ref[index] ?? 0)
    if (!pod) return `the pod ${notKnown}`
    const name = pod.versions.at(-1)?.names[columns.container[index] ?? 0]
    const cpu = columns.cpu_mean[index]
    const memory = columns.memory_mean[index]
    if (name === undefined) return `the container ${notKnown}`
    const isSensible =
      isAmount(columns.cpu_above[index], usageMax.cpu) && isAmount(columns.memory_above[index], usageMax.memory)
    if (!isAmount(cpu, usageMax.cpu) || !isAmount(memory, usageMax.memory) || !isSensible)
      return 'a usage value is implausible'
    const ofPod = usage.get(pod) ?? new Map<string, Usage>()
    usage.set(pod, ofPod)
    ofPod.set(name, { ...UNKNOWN_USAGE, cpu: cpu * microcoresPerTenth, memory })
  }
  return usage
}

const isAmount = (value: number | undefined, max: number): value is number =>
  Number.isSafeInteger(value) && (value ?? -1) >= 0 && (value ?? 0) <= max
