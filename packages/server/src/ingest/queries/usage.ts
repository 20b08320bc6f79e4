import { groupBy } from '@plimsoll/engine'
import {
  addContainerSums,
  chunks,
  type FoldedContainer,
  type FoldedPod,
  type FoldedUsage,
  keyText,
  type SteadyUse,
} from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'
import {
  addPodHours,
  deletePodHour,
  findHottest,
  findStoredPods,
  type HottestUse,
  type StoredPod,
} from './pod-hours.ts'
import { addToSlot, deleteSlot, hourBit, listUsageSlots, slotEnd, slotOf } from './usage-histograms.ts'
import { deleteUsageHour, listUsageHours, putUsageHours } from './usage-hours.ts'
import { containerIdOf, mergeUsage, type StoredUsage } from './usage-rows.ts'
import { noteContainersSeen } from './workload-containers.ts'

/** Retention of rows in days. Older hours are not written: only their histograms are stored longer. */
export const usageDaysKept = { usage_histogram: 35, usage_hour: 14, pod_hour: 3 }

export type WrittenHour = {
  clusterId: string
  hour: Date
  /** Data of the same origin may already be stored. */
  isLate: boolean
  now: Date
}

/** Rows that are read, merged and written together: all rows of a large cluster would take hundreds of megabytes. */
const rowsAtOnce = 2_000

/** Usage measured minute by minute. */
export async function writeLiveUsage(tx: Db, written: WrittenHour, folded: FoldedUsage): Promise<void> {
  const { clusterId, hour } = written
  await writePods(tx, written, folded)
  // Unknown for hours whose pods are no longer stored.
  const hottest = await findHottest(tx, clusterId, hour)
  for (const containers of chunks(folded.containers, rowsAtOnce)) {
    const added = containers.map((container) => storedUsage(container, hottest.get(keyText(container.key))))
    await putUsage(tx, written, added)
    await noteContainersSeen(
      tx,
      clusterId,
      containers.map(({ key }) => ({ key, hour })),
    )
  }
}

export type BackfilledUsage = { hour: Date; containers: readonly FoldedContainer[] }

/** Backfilled usage. For one container and hour the first report counts. */
export async function writeBackfilledUsage(
  tx: Db,
  { clusterId, now }: { clusterId: string; now: Date },
  usage: readonly BackfilledUsage[],
): Promise<void> {
  for (const [slotTime, hours] of groupBy(usage, ({ hour }) => slotOf(hour).getTime())) {
    const fresh = await withoutKnown(tx, clusterId, new Date(slotTime), hours)
    const added = fresh.map(({ hour, container }) => ({ ...storedUsage(container, container.hottest), hour }))
    const kept = added.filter(({ hour }) => isKept(hour, usageDaysKept.usage_hour, now))
    await putUsageHours(tx, clusterId, kept)
    await addToSlot(tx, clusterId, new Date(slotTime), added)
    await noteContainersSeen(
      tx,
      clusterId,
      fresh.map(({ hour, container }) => ({ key: container.key, hour })),
    )
  }
}

async function withoutKnown(tx: Db, clusterId: string, slot: Date, usage: readonly BackfilledUsage[]) {
  const stored = await listUsageSlots(tx, clusterId, { from: slot, to: slotEnd(slot) })
  const hoursOf = new Map(stored.map(({ containerId, hours }) => [containerId, hours]))
  return usage.flatMap(({ hour, containers }) =>
    containers
      .filter(({ key }) => ((hoursOf.get(containerIdOf(key)) ?? 0) & hourBit(hour)) === 0)
      .map((container) => ({ hour, container })),
  )
}

export async function writePods(
  tx: Db,
  { clusterId, hour, isLate, now }: WrittenHour,
  { measured, bridged }: Pick<FoldedUsage, 'measured' | 'bridged'>,
): Promise<void> {
  if (!isKept(hour, usageDaysKept.pod_hour, now)) return
  const key = { clusterId, hour }
  await deletePodHour(tx, clusterId, hour, { onlyBridged: true })
  for (const pods of chunks(measured, rowsAtOnce)) {
    const uids = pods.map(({ uid }) => uid)
    const before = isLate ? await findStoredPods(tx, key, uids) : new Map<string, StoredPod>()
    const added = pods.map((pod) => ({ ...pod, ...addToStored(before.get(pod.uid), pod) }))
    await addPodHours(tx, { ...key, bridged: false }, added)
  }
  await addPodHours(tx, { ...key, bridged: true }, bridged)
}

/** Deletes the backfill of an hour that has live data now. */
export async function forgetUsage(tx: Db, clusterId: string, hour: Date): Promise<void> {
  await deletePodHour(tx, clusterId, hour, { onlyBridged: false })
  await deleteUsageHour(tx, clusterId, hour)
  const slot = slotOf(hour)
  await deleteSlot(tx, clusterId, slot)
  await addToSlot(tx, clusterId, slot, await listUsageHours(tx, clusterId, { from: slot, to: slotEnd(slot) }))
}

async function putUsage(tx: Db, { clusterId, hour, isLate, now }: WrittenHour, added: StoredUsage[]): Promise<void> {
  if (isKept(hour, usageDaysKept.usage_hour, now)) {
    const end = new Date(hour.getTime() + 3_600_000)
    const ids = added.map(({ containerId }) => containerId)
    const stored = isLate ? await listUsageHours(tx, clusterId, { from: hour, to: end }, ids) : []
    const byId = new Map(stored.map((each) => [each.containerId, each]))
    await putUsageHours(
      tx,
      clusterId,
      added.map((each) => ({ ...mergeUsage(byId.get(each.containerId), each), hour })),
    )
  }
  await addToSlot(
    tx,
    clusterId,
    slotOf(hour),
    added.map((each) => ({ ...each, hour })),
  )
}

const isKept = (hour: Date, days: number, now: Date) => hour.getTime() >= now.getTime() - days * 86_400_000

function storedUsage(container: FoldedContainer, hottest: HottestUse = { cpu: 0, memory: 0 }): StoredUsage {
  const { key, cpu, memory, startUp, podSeconds, oomKills, restarts, throttling } = container
  return {
    containerId: containerIdOf(key),
    podSeconds,
    oomKills,
    restarts,
    throttling,
    startUp,
    cpu: { ...cpu, hottest: hottest.cpu },
    memory: { ...memory, hottest: hottest.memory },
  }
}

/** Seconds are in `sums` only. */
function addToStored(stored: StoredPod | undefined, pod: FoldedPod): Pick<FoldedPod, 'steady' | 'containers'> {
  return {
    steady: addSteady(stored?.steady, pod.steady),
    containers: stored ? addContainerSums(stored, pod) : pod.containers,
  }
}

function addSteady(one: SteadyUse = {}, other: SteadyUse): SteadyUse {
  const sum = { ...one }
  for (const [name, [minutes, cpu, memory]] of Object.entries(other)) {
    const [minutesBefore, cpuBefore, memoryBefore] = one[name] ?? [0, 0, 0]
    sum[name] = [minutes + minutesBefore, cpu + cpuBefore, memory + memoryBefore]
  }
  return sum
}
