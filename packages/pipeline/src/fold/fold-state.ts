import type { AgentFacts } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { ClusterPlace } from '../prices/node-class.ts'
import { CloudResources } from './cloud-resources.ts'
import { ClusterObjects } from './cluster-objects.ts'
import type { Gaps } from './gaps.ts'
import { HourSums } from './hour-sums.ts'
import { Inventory, type ClassifyNode, type NodeRecord, type PodRecord } from './inventory.ts'
import { KubernetesVersions } from './kubernetes-versions.ts'
import type { MinuteMask } from './minute-mask.ts'
import { UsageSums } from './usage-sums.ts'

/** One lifetime of the disk log of an agent: its object numbers, and the snapshot in progress. */
export type Epoch = {
  uids: Map<number, string>
  listing: { id: string; parts: Set<number>; uids: Set<string> } | undefined
  gaps: Gaps
  /** The newest observation of this epoch. */
  observedAt: number
}

export type HourState = {
  /** By node uid. */
  masks: Map<string, MinuteMask>
  /** Measured since the hour was last written. */
  added: HourSums
  /** Minutes before this one were checked for gaps when the hour was last written. */
  bridgedMinutes: number
  /** Container usage since the hour was last written, and events of the whole hour. */
  usage: UsageSums
}

/** Everything that folding the next batch depends on. */
export type FoldState = {
  inventory: Inventory
  cloudResources: CloudResources
  /** Objects without a cost that decide what may be changed. */
  objects: ClusterObjects
  /** The location from the registration of the cluster. */
  place: ClusterPlace
  epochs: Map<string, Epoch>
  /** By hours since 1970. */
  hours: Map<number, HourState>
  /** The times of complete snapshots, as far back as hours can be reopened. */
  snapshotTimes: Set<number>
  /** Data exists from this second up to the watermark. The time before is unknown. */
  firstSecond: number
  watermark: number
  /** The last report of the agent about itself. */
  agent: AgentFacts | undefined
  kubernetes: KubernetesVersions
}

const nowhere: ClusterPlace = { provider: 'unknown', region: 'unknown' }

export const emptyFoldState = (classify: ClassifyNode, place = nowhere): FoldState => ({
  inventory: new Inventory(classify),
  cloudResources: new CloudResources(),
  objects: new ClusterObjects(),
  place,
  epochs: new Map(),
  hours: new Map(),
  snapshotTimes: new Set(),
  firstSecond: Number.POSITIVE_INFINITY,
  watermark: 0,
  agent: undefined,
  kubernetes: new KubernetesVersions(),
})

export const emptyHour = (): HourState => ({
  masks: new Map(),
  added: new HourSums(),
  bridgedMinutes: 0,
  usage: new UsageSums(),
})

/** Late data can reopen these hours; older minutes are rejected. */
export const reopenableHours = 48

export const oldestHour = ({ watermark }: FoldState): number =>
  Math.floor(watermark / SECONDS_PER_HOUR) - reopenableHours

export function hourOf({ hours }: FoldState, hour: number): HourState {
  const state = hours.get(hour) ?? emptyHour()
  hours.set(hour, state)
  return state
}

/** Records that an agent reported at this second. */
export function begin(state: FoldState, second: number): void {
  if (second >= state.firstSecond) return
  state.firstSecond = second
  state.cloudResources.noteChange(second)
}

export function nodeOf({ inventory }: FoldState, { uids }: Epoch, ref: number): NodeRecord | undefined {
  const uid = uids.get(ref)
  return uid === undefined ? undefined : inventory.nodes.get(uid)
}

export function podOf({ inventory }: FoldState, { uids }: Epoch, ref: number): PodRecord | undefined {
  const uid = uids.get(ref)
  return uid === undefined ? undefined : inventory.pods.get(uid)
}
