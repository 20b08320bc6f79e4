import {
  decodeBatch,
  type Delta,
  encodeBatch,
  type EncodedBatch,
  EpochWriter,
  joinDeltas,
  minuteOfBatch,
  recordsOf,
} from '@plimsoll/agent'
import type { Batch } from '@plimsoll/contract'
import { Inventory } from '../batches/inventory.ts'
import { Random } from '../random.ts'

type Decoded = ReturnType<typeof decodeBatch>

export type RewriteOptions = {
  readonly epoch: string
  /** Earlier minutes are omitted; a snapshot at the beginning has their objects. */
  readonly fromMinute?: number
  /** With a seed the same facts are split into batches and parts of other sizes. */
  readonly cutSeed?: number
}

/**
 * The same facts as another agent log: another epoch, other refs, sequence from 1. Takes the complete batches of one
 * epoch in order. Reads few batches at a time, because hours of a large cluster do not fit in memory.
 */
export function rewriteEpoch(batches: readonly EncodedBatch[], options: RewriteOptions): EncodedBatch[] {
  const clusterUid = batches[0]?.headers['plimsoll-cluster-uid'] ?? ''
  const rewritten: EncodedBatch[] = []
  for (const batch of rewrite(batches, options)) {
    rewritten.push(encodeBatch({ batch, epoch: options.epoch, seq: rewritten.length + 1 }, clusterUid))
  }
  return rewritten
}

function* rewrite(batches: readonly EncodedBatch[], options: RewriteOptions): Generator<Batch> {
  const { epoch, fromMinute = 0, cutSeed } = options
  const random = cutSeed === undefined ? undefined : new Random(cutSeed)
  const before = new Inventory()
  let writer: EpochWriter | undefined
  for (const group of groups(batches, fromMinute, random)) {
    const [{ batch: first }] = group
    if (minuteOfBatch(first) < fromMinute) {
      for (const { batch, reader } of group) before.apply(batch, reader)
      continue
    }
    const isFirst = writer === undefined
    writer ??= new EpochWriter({ agent: () => first.agent, epoch })
    if (isFirst && !first.snapshot) yield* writer.snapshot(before.living(), fromMinute * 60)
    yield* rewriteGroup(writer, group, random)
  }
}

type Group = [Decoded, ...Decoded[]]

/** Parts of one snapshot stay together; several minutes of changes may be joined. */
function* groups(batches: readonly EncodedBatch[], fromMinute: number, random: Random | undefined): Generator<Group> {
  let group: Group | undefined
  let batchesLeft = 0
  for (const encoded of batches) {
    const next = decodeBatch(encoded)
    if (group && belongTogether(group[0].batch, next.batch, fromMinute) && (next.batch.snapshot || batchesLeft > 0)) {
      group.push(next)
      batchesLeft -= 1
      continue
    }
    if (group) yield group
    group = [next]
    batchesLeft = random?.between(0, 2) ?? 0
  }
  if (group) yield group
}

function belongTogether(one: Batch, other: Batch, fromMinute: number): boolean {
  const isBefore = (batch: Batch) => minuteOfBatch(batch) < fromMinute
  return one.snapshot?.id === other.snapshot?.id && isBefore(one) === isBefore(other)
}

function* rewriteGroup(writer: EpochWriter, group: Group, random: Random | undefined): Generator<Batch> {
  const records = joinDeltas(group.map(recordsOf))
  const { snapshot } = group[0].batch
  const observedAt = snapshot?.observed_at ?? group.at(-1)?.batch.observed_at ?? 0
  if (snapshot) yield* writer.snapshot(records, observedAt, random && { parts: random.between(2, 7) })
  else for (const delta of cut(records, random)) yield* writer.delta(delta, observedAt)
}

/** A node-minute stays complete; object changes come first. */
function cut(delta: Delta, random: Random | undefined): Delta[] {
  if (!random || delta.usage.length < 2) return [delta]
  const place = random.between(1, delta.usage.length - 1)
  const things = { namespaces: [], nodes: [], pods: [], volumes: [], balancers: [], objects: [] }
  const none = { ...things, ends: [], events: [] }
  return [
    { ...delta, usage: delta.usage.slice(0, place) },
    { ...none, usage: delta.usage.slice(place) },
  ]
}
