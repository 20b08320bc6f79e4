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
  /** Minutes before are left out; what lived then is in a snapshot at the beginning. */
  readonly fromMinute?: number
  /** With a seed the same facts are cut into batches and parts of other sizes. */
  readonly cutSeed?: number
}

/**
 * The same facts as another agent log would hold them: other epoch, other numbers for the objects, sequence from 1. Takes the
 * batches of one epoch, whole and in order. Reads few of them at a time, because hours of a large cluster do not fit.
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

/** The parts of one snapshot belong together; of changes, some minutes may become one. */
function* groups(batches: readonly EncodedBatch[], fromMinute: number, random: Random | undefined): Generator<Group> {
  let group: Group | undefined
  let room = 0
  for (const encoded of batches) {
    const next = decodeBatch(encoded)
    if (group && belongTogether(group[0].batch, next.batch, fromMinute) && (next.batch.snapshot || room > 0)) {
      group.push(next)
      room -= 1
      continue
    }
    if (group) yield group
    group = [next]
    room = random?.between(0, 2) ?? 0
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

/** A node-minute stays whole; what is said about objects comes first. */
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
