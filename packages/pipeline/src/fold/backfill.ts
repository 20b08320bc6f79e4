import {
  BatchReader,
  emptyEvents,
  emptyMinutes,
  type Batch,
  type NodeHour,
  type UsageFigures,
  type UsageHour,
} from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { UNKNOWN_USAGE, type Usage } from '@plimsoll/engine/allocation'
import { microcoresPerTenth } from './add-minutes.ts'
import { cloudResourceRows } from './cloud-resource-rows.ts'
import { oldestHour, reopenableHours, type FoldState } from './fold-state.ts'
import { Fold, type FoldedBatch } from './fold.ts'
import { rowsOf, type FoldedHour } from './finalise-hours.ts'
import { foldUsage, type FoldedContainer } from './folded-usage.ts'
import { HourSums } from './hour-sums.ts'
import type { NodeRecord, PodRecord } from './inventory.ts'
import { LastSeen } from './last-seen.ts'
import { minutesIn } from './usage-histogram.ts'
import { keyText, UsageSums } from './usage-sums.ts'
import { noUsage, WindowAllocator } from './window-allocator.ts'

const backfillDays = 35
const backfillSeconds = backfillDays * 24 * SECONDS_PER_HOUR

/** What is stored for the hours of a batch. Hours since 1970. */
export type StoredHours = {
  hasLiveData: (hour: number) => boolean
  /** By uid: nodes whose node-hour is stored already. */
  measuredNodes: (hour: number) => ReadonlySet<string>
}

/** Whether an agent may still backfill an hour at that second. */
export const canBackfill = (hour: number, receivedAt: number) =>
  (hour + 1) * SECONDS_PER_HOUR <= receivedAt && (hour + 1) * SECONDS_PER_HOUR > receivedAt - backfillSeconds

export type BackfilledHour = FoldedHour & {
  /** The batch has no node data for the hour. */
  isUsageOnly: boolean
  containers: FoldedContainer[]
}

/** The hours that a batch contains, before validation. */
export const hoursOf = ({ hours, usage }: Batch): number[] => [
  ...new Set([...(hours?.hour ?? []), ...(usage?.hour ?? [])]),
]

type HourInProgress = { sums: HourSums; nodes: Set<string>; containers: Map<string, FoldedContainer> }

/**
 * Folds one backfill batch. The state belongs to the epoch alone: the lifetimes of objects, and the last backfilled
 * hour. Backfilled hours are complete, so no hour stays open.
 */
export class BackfillFold {
  readonly #state: FoldState
  readonly #stored: StoredHours
  readonly #receivedAt: number
  readonly #hours = new Map<number, HourInProgress>()
  readonly #objects: Fold
  readonly #allocator: WindowAllocator

  constructor(state: FoldState, stored: StoredHours, receivedAt: number) {
    this.#state = state
    this.#stored = stored
    this.#receivedAt = receivedAt
    this.#objects = new Fold(state)
    this.#allocator = new WindowAllocator(state)
  }

  addBatch(epochId: string, batch: Batch): FoldedBatch {
    // Objects are read as in live batches. The backfilled hours move the clock, not the time of arrival.
    const { hours: _hours, usage: _usage, ...rest } = batch
    const objects = this.#objects.addBatch(epochId, { ...rest, observed_at: 0, ...nothingLive })
    const reader = new BatchReader(batch)
    batch.minutes.minute.forEach((_minute, index) =>
      reader.reject('minutes', index, 'a backfill batch must use hours, not minutes'),
    )
    batch.events.at.forEach((_at, index) =>
      reader.reject('events', index, 'a backfill batch must send events with usage'),
    )
    const refs = this.#state.epochs.get(epochId)?.uids ?? new Map<number, string>()
    for (const [index, row] of reader.nodeHours().entries()) {
      const wrong = this.#wrongHour(row.hour) ?? this.#addNodeHour(refs, row)
      if (wrong !== undefined) reader.reject('hours', index, wrong)
    }
    for (const [index, row] of reader.usageHours().entries()) {
      const wrong = this.#wrongHour(row.hour)
      if (wrong === undefined) this.#addUsage(row)
      else reader.reject('usage', index, wrong)
    }
    this.#moveOn(hoursOf(batch))
    return {
      rejectedRecords: objects.rejectedRecords + reader.rejectedRecords,
      rejections: [...objects.rejections, ...reader.rejections].slice(0, 20),
      isUnresolved: false,
      gap: 'unchanged',
    }
  }

  changedNodes(): NodeRecord[] {
    return this.#objects.changedNodes()
  }

  /** Nodes that lived in an hour without node data are bridged, if the batch has data of any other node. */
  backfilledHours(): BackfilledHour[] {
    return [...this.#hours]
      .sort(([a], [b]) => a - b)
      .map(([hour, { sums, nodes, containers }]) => {
        const bridged = nodes.size > 0 ? this.#bridge(hour, nodes) : new HourSums()
        const usage = foldUsage(this.#state.inventory, new LastSeen(this.#state), {
          usage: new UsageSums(),
          measured: sums.pods,
          bridged: bridged.pods,
          reported: { from: 0, to: 0 },
        })
        return {
          hour,
          measured: rowsOf(sums),
          bridged: rowsOf(bridged),
          cloudResources: nodes.size === 0 ? [] : cloudResourceRows(this.#state, windowOf(hour)),
          usage,
          isUsageOnly: nodes.size === 0,
          containers: [...containers.values()],
        }
      })
  }

  #wrongHour(hour: number): string | undefined {
    const end = (hour + 1) * SECONDS_PER_HOUR
    if (end > this.#receivedAt) return 'the hour has not ended'
    if (!canBackfill(hour, this.#receivedAt)) return `older than ${backfillDays} days`
    if (hour < oldestHour(this.#state))
      return `more than ${reopenableHours} hours before data that was already received`
    return this.#stored.hasLiveData(hour) ? 'the hour has live data' : undefined
  }

  #addNodeHour(refs: ReadonlyMap<number, string>, { nodeRef, hour, samples }: NodeHour): string | undefined {
    const { nodes, pods } = this.#state.inventory
    const node = nodes.get(refs.get(nodeRef) ?? '')
    if (!node) return 'the node is unknown'
    const usage = usageByPod(samples, (ref) => pods.get(refs.get(ref) ?? ''))
    if (typeof usage === 'string') return usage
    const inProgress = this.#hour(hour)
    if (inProgress.nodes.has(node.uid) || this.#stored.measuredNodes(hour).has(node.uid)) return undefined
    inProgress.nodes.add(node.uid)
    this.#allocator.allocate(node, windowOf(hour), {
      usageOf: (pod) => usage.get(pod) ?? noUsage,
      sums: inProgress.sums,
    })
    return undefined
  }

  #addUsage(row: UsageHour): void {
    const container = foldedContainer(row)
    const { containers } = this.#hour(row.hour)
    if (!containers.has(keyText(container.key))) containers.set(keyText(container.key), container)
  }

  #bridge(hour: number, nodesInBatch: ReadonlySet<string>): HourSums {
    const sums = new HourSums()
    for (const node of this.#state.inventory.nodes.values()) {
      const isMeasured = nodesInBatch.has(node.uid) || this.#stored.measuredNodes(hour).has(node.uid)
      if (!isMeasured) this.#allocator.allocate(node, windowOf(hour), { usageOf: () => noUsage, sums })
    }
    return sums
  }

  #hour(hour: number): HourInProgress {
    const inProgress = this.#hours.get(hour) ?? { sums: new HourSums(), nodes: new Set(), containers: new Map() }
    this.#hours.set(hour, inProgress)
    return inProgress
  }

  /** Objects are forgotten only after the hours of this batch are taken: see `forget`. */
  #moveOn(hours: readonly number[]): void {
    for (const hour of hours) {
      const end = (hour + 1) * SECONDS_PER_HOUR
      if (end <= this.#receivedAt) this.#state.watermark = Math.max(this.#state.watermark, end)
    }
  }

  /** Forgets objects that ended before any hour that can still be backfilled. */
  forget(): void {
    this.#state.inventory.forgetBefore(oldestHour(this.#state) * SECONDS_PER_HOUR)
  }
}

const nothingLive: Pick<Batch, 'minutes' | 'events'> = {
  minutes: emptyMinutes(),
  events: emptyEvents(),
}

/** All or nothing, as with minutes. */
function usageByPod(
  samples: NodeHour['samples'],
  podOf: (ref: number) => PodRecord | undefined,
): Map<PodRecord, Map<string, Usage>> | string {
  const usage = new Map<PodRecord, Map<string, Usage>>()
  for (const { podRef, container, cpuMeanTenths, memoryMeanKib } of samples) {
    const pod = podOf(podRef)
    if (!pod) return 'the pod is unknown'
    const name = pod.versions.at(-1)?.names[container]
    if (name === undefined) return 'the container is unknown'
    const ofPod = usage.get(pod) ?? new Map<string, Usage>()
    usage.set(pod, ofPod)
    ofPod.set(name, { ...UNKNOWN_USAGE, cpu: cpuMeanTenths * microcoresPerTenth, memory: memoryMeanKib })
  }
  return usage
}

function foldedContainer(row: UsageHour): FoldedContainer {
  const { namespace, workloadKind, workloadName, container, podSeconds, oomKills, restarts, throttling, cpu, memory } =
    row
  return {
    key: [namespace, workloadKind, workloadName, container],
    podSeconds,
    oomKills,
    restarts,
    throttling: throttling ?? null,
    cpu: figuresOf(cpu),
    memory: figuresOf(memory),
    startUp: startUpOf(row),
    hottest: { cpu: hottestOf(cpu), memory: hottestOf(memory) },
  }
}

function startUpOf({ startUp }: UsageHour): FoldedContainer['startUp'] {
  if (!startUp) return { minutes: 0, cpuSum: 0, cpuMax: 0, memoryMax: 0 }
  const { minutes, cpuMean, cpuMax, memoryMax } = startUp
  return { minutes, cpuSum: cpuMean * minutes, cpuMax, memoryMax }
}

/** Figures without a histogram are ignored. */
function figuresOf({ mean, max, buckets, podMinutes }: UsageFigures): FoldedContainer['cpu'] {
  const histogram = { buckets, counts: podMinutes }
  return { sum: mean * minutesIn(histogram), max: buckets.length === 0 ? 0 : max, histogram }
}

const hottestOf = ({ hottest, buckets }: UsageFigures) => (buckets.length === 0 ? 0 : hottest)

const windowOf = (hour: number) => ({ from: hour * SECONDS_PER_HOUR, to: (hour + 1) * SECONDS_PER_HOUR })
