import { SECONDS_PER_HOUR, type TimeSpan } from '@plimsoll/engine'
import { cloudResourceRows, type CloudResourceRow } from './cloud-resource-rows.ts'
import { forgetEpochs } from './epochs.ts'
import { emptyHour, hourOf, oldestHour, type FoldState, type HourState } from './fold-state.ts'
import { foldUsage, type FoldedUsage } from './folded-usage.ts'
import { HourSums, type NodeRow, type WorkloadRow } from './hour-sums.ts'
import { LastSeen } from './last-seen.ts'
import { MinuteMask } from './minute-mask.ts'
import { noUsage, type WindowAllocator } from './window-allocator.ts'

const minutesPerHour = 60
const secondsPerMinute = 60
const graceSeconds = 15 * secondsPerMinute

export type HourQuantities = {
  /** Hours since 1970. */
  hour: number
  /** Added to the stored rows. */
  measured: { workloads: WorkloadRow[]; nodes: NodeRow[] }
  /** Replaces the stored rows: time in which nodes existed without usage data. */
  bridged: { workloads: WorkloadRow[]; nodes: NodeRow[] }
  /** Replaces the stored rows: volumes, load balancers and the control plane. */
  cloudResources: CloudResourceRow[]
}

export type FoldedHour = HourQuantities & { usage: FoldedUsage }

/** The known part of the hour in progress, and the seconds that it covers. */
export type OpenHourQuantities = HourQuantities & { known: TimeSpan }

/** The quantities that the hour would be written with if it ended now. The state still holds them afterwards. */
export function openHour(state: FoldState, allocator: WindowAllocator): OpenHourQuantities | undefined {
  const hour = Math.floor(state.watermark / SECONDS_PER_HOUR)
  const known = knownPart(state, hour)
  if (known.to <= known.from) return undefined
  const own = state.hours.get(hour) ?? emptyHour()
  const bridged = bridge(state, allocator, { hour, hourState: own, lastSeen: new LastSeen(state) })
  const { added: measured } = own
  return {
    hour,
    measured: rowsOf(measured),
    bridged: rowsOf(bridged),
    cloudResources: cloudResourceRows(state, known),
    known,
  }
}

/** The hours to write now: hours that have ended by the last report, or ended long ago. */
export function endedHours(state: FoldState, now: number): [hour: number, own: HourState][] {
  openHoursWithGaps(state, now)
  const { watermark, firstSecond, cloudResources } = state
  const ended = [...state.hours].filter(([hour, own]) => {
    const end = (hour + 1) * SECONDS_PER_HOUR
    const isOver = watermark >= end || now >= end + graceSeconds
    const hasNews = isChanged(own, reportedMinutes(state, hour)) || end > cloudResources.changedFrom
    return isOver && end > firstSecond && hasNews
  })
  return ended.sort(([a], [b]) => a - b)
}

/**
 * Whether one of the hours has become complete since it was last written. Late data of the others can wait for more.
 */
export function hasWholeHour(state: FoldState, now: number): boolean {
  return endedHours(state, now).some(
    ([hour, own]) => reportedMinutes(state, hour) === minutesPerHour && own.bridgedMinutes < minutesPerHour,
  )
}

const isChanged = (own: HourState, reported: number) =>
  own.added.nodes.size > 0 || own.bridgedMinutes < reported || own.usage.hasNews

/** Hours without any measurement still have nodes that were paid for. */
function openHoursWithGaps(state: FoldState, now: number): void {
  const last = Math.floor(Math.min(state.watermark, now) / SECONDS_PER_HOUR)
  const first = Math.max(oldestHour(state), Math.floor(state.firstSecond / SECONDS_PER_HOUR))
  for (let hour = first; hour < last; hour += 1) hourOf(state, hour)
}

function reportedMinutes({ watermark }: FoldState, hour: number): number {
  const minutes = Math.floor((watermark - hour * SECONDS_PER_HOUR) / secondsPerMinute)
  return Math.max(0, Math.min(minutesPerHour, minutes))
}

/** The rows to write of an hour. The state then no longer holds them. */
export function finaliseHour(state: FoldState, allocator: WindowAllocator, hour: number, own: HourState): FoldedHour {
  const reported = reportedMinutes(state, hour)
  const known = knownPart(state, hour)
  const lastSeen = new LastSeen(state)
  const bridged = bridge(state, allocator, { hour, hourState: own, lastSeen })
  const { added: measured, usage } = own
  own.added = new HourSums()
  own.bridgedMinutes = reported
  own.usage = usage.afterWriting()
  return {
    hour,
    measured: rowsOf(measured),
    bridged: rowsOf(bridged),
    cloudResources: cloudResourceRows(state, known),
    usage: foldUsage(state.inventory, lastSeen, {
      usage,
      measured: measured.pods,
      bridged: bridged.pods,
      reported: known,
    }),
  }
}

export const rowsOf = ({ workloads, nodes }: HourSums) => ({ workloads, nodes: [...nodes.values()] })

/** From the first report to the last report. */
function knownPart(state: FoldState, hour: number): TimeSpan {
  const start = hour * SECONDS_PER_HOUR
  return {
    from: Math.max(start, state.firstSecond),
    to: start + reportedMinutes(state, hour) * secondsPerMinute,
  }
}

/**
 * An object that existed before and after a gap also existed during the gap. It is paid for, and its usage is unknown.
 */
function bridge(
  state: FoldState,
  allocator: WindowAllocator,
  {
    hour,
    hourState: { masks },
    lastSeen: { nodeUntil, podUntil },
  }: { hour: number; hourState: HourState; lastSeen: LastSeen },
): HourSums {
  const sums = new HourSums()
  const start = hour * SECONDS_PER_HOUR
  for (const node of state.inventory.nodes.values()) {
    const mask = masks.get(node.uid) ?? new MinuteMask()
    const end = nodeUntil(node)
    for (const gap of mask.gaps(reportedMinutes(state, hour))) {
      const from = Math.max(state.firstSecond, start + gap.from * secondsPerMinute)
      const to = Math.min(end, start + gap.to * secondsPerMinute)
      if (to > from) allocator.allocate(node, { from, to }, { usageOf: () => noUsage, sums, untilOf: podUntil })
    }
  }
  return sums
}

/** Forgets objects that ended before any hour that can still be reopened. */
export function forgetOld(state: FoldState): void {
  const oldest = oldestHour(state)
  const second = oldest * SECONDS_PER_HOUR
  for (const hour of state.hours.keys()) if (hour < oldest) state.hours.delete(hour)
  for (const at of state.snapshotTimes) if (at < second) state.snapshotTimes.delete(at)
  state.inventory.forgetBefore(second)
  state.cloudResources.forgetBefore(second)
  state.objects.forgetBefore(second)
  forgetEpochs(state, second)
}
