import { BatchReader, BatchWriter, type Batch } from '@plimsoll/contract'
import { emptyFoldState, emptyHour, type Epoch, type FoldState, type HourState } from './fold-state.ts'
import type { NodeRow, WorkloadRow } from './hour-sums.ts'
import type { ClusterPlace } from '../prices/node-class.ts'
import type { ClassifyNode } from './inventory.ts'
import { numberOf, readAssets, writeAssets } from './asset-checkpoint.ts'
import { MinuteMask } from './minute-mask.ts'

/** The inventory is kept in the agent's own columns: they are small, and there is one reader and one writer of them. */
type Checkpoint = {
  objects: Batch
  epochs: {
    id: string
    refs: number[]
    numbers: number[]
    listing: { id: string; parts: number[]; uids: string[] } | null
  }[]
  hours: {
    hour: number
    bridgedMinutes: number
    masks: [uid: string, low: number, high: number][]
    workloads: WorkloadRow[]
    nodes: NodeRow[]
  }[]
  /** Null before the first batch. */
  firstSecond: number | null
  watermark: number
  /** Null when there is nothing new about volumes and balancers. Absent in checkpoints from before there were any. */
  assetsChangedFrom?: number | null
  agent: FoldState['agent'] | null
}

const nobody = { version: '', kubernetes_version: '', usage_source: 'none' as const }

export function saveCheckpoint(state: FoldState): string {
  const numbers = new Map<string, number>()
  const checkpoint: Checkpoint = {
    objects: writeObjects(state, numbers),
    epochs: [...state.epochs].map(([id, epoch]) => saveEpoch(id, epoch, numbers)),
    hours: [...state.hours].map(([hour, each]) => saveHour(hour, each)),
    firstSecond: Number.isFinite(state.firstSecond) ? state.firstSecond : null,
    watermark: state.watermark,
    assetsChangedFrom: changedFrom(state),
    agent: state.agent ?? null,
  }
  return JSON.stringify(checkpoint)
}

/** Asking takes it away, so it is put back. */
function changedFrom({ assets }: FoldState): number | null {
  const from = assets.takeChange()
  assets.noteChange(from)
  return Number.isFinite(from) ? from : null
}

export function loadCheckpoint(text: string, classify: ClassifyNode, place?: ClusterPlace): FoldState {
  const checkpoint = JSON.parse(text) as Checkpoint
  const state = emptyFoldState(classify, place)
  const uids = readObjects(state, checkpoint.objects)
  state.assets.takeChange()
  state.assets.noteChange(checkpoint.assetsChangedFrom ?? Number.POSITIVE_INFINITY)
  state.firstSecond = checkpoint.firstSecond ?? Number.POSITIVE_INFINITY
  state.watermark = checkpoint.watermark
  state.agent = checkpoint.agent ?? undefined
  for (const epoch of checkpoint.epochs) state.epochs.set(epoch.id, loadEpoch(epoch, uids))
  for (const hour of checkpoint.hours) state.hours.set(hour.hour, loadHour(hour))
  return state
}

function writeObjects({ inventory, assets, watermark }: FoldState, numbers: Map<string, number>): Batch {
  const writer = new BatchWriter()
  for (const node of inventory.nodes.values()) {
    const ref = numberOf(numbers, node.uid)
    for (const { facts } of node.versions) writer.addNode({ ...facts, ref })
    if (Number.isFinite(node.endedAt)) writer.addEnd({ ref, at: node.endedAt })
  }
  for (const pod of inventory.pods.values()) {
    const ref = numberOf(numbers, pod.uid)
    const nodeRef = pod.node ? numberOf(numbers, pod.node.uid) : 0
    for (const { facts } of pod.versions) writer.addPod({ ...facts, ref, nodeRef })
    if (Number.isFinite(pod.endedAt)) writer.addEnd({ ref, at: pod.endedAt })
  }
  writeAssets(writer, assets, numbers)
  return writer.finish(nobody, watermark)
}

function readObjects({ inventory, assets }: FoldState, objects: Batch): Map<number, string> {
  const uids = new Map<number, string>()
  const reader = new BatchReader(objects)
  for (const node of reader.nodes()) {
    uids.set(node.ref, node.uid)
    inventory.addNode(node)
  }
  for (const pod of reader.pods()) {
    uids.set(pod.ref, pod.uid)
    inventory.addPod(pod, inventory.nodes.get(uids.get(pod.nodeRef) ?? ''))
  }
  readAssets(reader, assets, uids)
  for (const { ref, at } of reader.ends()) {
    inventory.end(uids.get(ref) ?? '', at)
    assets.end(uids.get(ref) ?? '', at)
  }
  return uids
}

/** An epoch also remembers objects that are forgotten by now; their minutes are too late anyway. */
function saveEpoch(id: string, { uids, listing }: Epoch, numbers: Map<string, number>): Checkpoint['epochs'][number] {
  const known = [...uids].filter(([, uid]) => numbers.has(uid))
  return {
    id,
    refs: known.map(([ref]) => ref),
    numbers: known.map(([, uid]) => numbers.get(uid) ?? 0),
    listing: listing ? { id: listing.id, parts: [...listing.parts], uids: [...listing.uids] } : null,
  }
}

function loadEpoch({ refs, numbers, listing }: Checkpoint['epochs'][number], uids: Map<number, string>): Epoch {
  return {
    uids: new Map(refs.map((ref, index) => [ref, uids.get(numbers[index] ?? 0) ?? ''])),
    listing: listing ? { id: listing.id, parts: new Set(listing.parts), uids: new Set(listing.uids) } : undefined,
  }
}

function saveHour(hour: number, { masks, added, bridgedMinutes }: HourState): Checkpoint['hours'][number] {
  return {
    hour,
    bridgedMinutes,
    masks: [...masks].map(([uid, mask]) => [uid, ...mask.toJSON()]),
    workloads: [...added.workloads.values()],
    nodes: [...added.nodes.values()],
  }
}

function loadHour({ bridgedMinutes, masks, workloads, nodes }: Checkpoint['hours'][number]): HourState {
  const hour = emptyHour()
  hour.bridgedMinutes = bridgedMinutes
  for (const [uid, low, high] of masks) hour.masks.set(uid, new MinuteMask(low, high))
  for (const row of workloads) Object.assign(hour.added.workload(row), row)
  for (const row of nodes) Object.assign(hour.added.node(row.nodeUid, row.classKey), row)
  return hour
}
