import type { AgentFacts } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { ClusterPlace } from '../prices/node-class.ts'
import { CloudResources } from './cloud-resources.ts'
import { ClusterObjects } from './cluster-objects.ts'
import type { Holes } from './holes.ts'
import { HourSums } from './hour-sums.ts'
import { Inventory, type ClassifyNode, type NodeRecord, type PodRecord } from './inventory.ts'
import { KubernetesVersions } from './kubernetes-versions.ts'
import type { MinuteMask } from './minute-mask.ts'
import { UsageSums } from './usage-sums.ts'

/** One life of an agent's disk log: its numbers for objects, and the snapshot that is under way. */
export type Epoch = {
  uids: Map<number, string>
  listing: { id: string; parts: Set<number>; uids: Set<string> } | undefined
  holes: Holes
  /** The newest observation of this epoch. */
  observedAt: number
}

export type HourState = {
  /** By node uid. */
  masks: Map<string, MinuteMask>
  /** What was measured since the hour was last written. */
  added: HourSums
  /** Minutes before this one had been looked at for gaps when the hour was last written. */
  bridgedMinutes: number
  /** How containers were used, since the hour was last written; events of the whole hour. */
  usage: UsageSums
}

/** Everything that folding the next batch depends on. */
export type FoldState = {
  inventory: Inventory
  cloudResources: CloudResources
  /** What costs nothing and decides what may be changed. */
  objects: ClusterObjects
  /** Where whoever connected the cluster said that it is. */
  place: ClusterPlace
  epochs: Map<string, Epoch>
  /** By hours since 1970. */
  hours: Map<number, HourState>
  /** When a whole snapshot was taken, as far back as hours can be reopened. */
  snapshotTimes: Set<number>
  /** From here on up to the watermark somebody was there to report; before, nobody knows what there was. */
  firstSecond: number
  watermark: number
  /** What the agent last said about itself. */
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

/** Hours that can still be reopened by late data; older minutes are refused. */
export const reopenableHours = 48

export const oldestHour = ({ watermark }: FoldState): number =>
  Math.floor(watermark / SECONDS_PER_HOUR) - reopenableHours

export function hourOf({ hours }: FoldState, hour: number): HourState {
  const state = hours.get(hour) ?? emptyHour()
  hours.set(hour, state)
  return state
}

/** Somebody was there to report at this second. */
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
