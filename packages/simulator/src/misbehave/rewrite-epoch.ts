import type { Batch } from '@plimsoll/contract'
import { decodeBatch, encodeBatch, type EncodedBatch } from '../batches/encode.ts'
import { EpochWriter, type Delta } from '../batches/epoch-writer.ts'
import { Inventory } from '../batches/inventory.ts'
import { minuteOfBatch, recordsOf } from '../batches/records.ts'
import { Random } from '../random.ts'
import type { Living } from '../world/facts.ts'

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
 * batches of one epoch, whole and in order.
 */
export function rewriteEpoch(batches: readonly EncodedBatch[], options: RewriteOptions): EncodedBatch[] {
  const { epoch, fromMinute = 0, cutSeed } = options
  const decoded = batches.map(decodeBatch)
  const [first, clusterUid] = [decoded[0], batches[0]?.headers['plimsoll-cluster-uid'] ?? '']
  if (!first) return []
  const random = cutSeed === undefined ? undefined : new Random(cutSeed)
  const writer = new EpochWriter({
    agent: first.batch.agent,
    epoch,
    ...(random ? { objectsMax: random.between(10, 60) } : {}),
  })
  const kept = decoded.filter(({ batch }) => minuteOfBatch(batch) >= fromMinute)
  const opening =
    kept[0] && !kept[0].batch.snapshot ? writer.snapshot(livingBefore(decoded, fromMinute), fromMinute * 60) : []
  const rewritten = groups(kept, random).flatMap((group) => rewriteGroup(writer, group, random))
  return [...opening, ...rewritten].map((batch, index) => encodeBatch({ batch, epoch, seq: index + 1 }, clusterUid))
}

function livingBefore(decoded: readonly Decoded[], minute: number): Living {
  const inventory = new Inventory()
  for (const { batch, reader } of decoded) if (minuteOfBatch(batch) < minute) inventory.apply(batch, reader)
  return inventory.living()
}

/** The parts of one snapshot belong together; of changes, some minutes may become one. */
function groups(decoded: readonly Decoded[], random: Random | undefined): Decoded[][] {
  const found: Decoded[][] = []
  let room = 0
  for (const each of decoded) {
    const last = found.at(-1)
    const before = last?.[0]?.batch.snapshot?.id
    const now = each.batch.snapshot?.id
    const joins = last !== undefined && before === now && (now !== undefined || room > 0)
    if (joins) last.push(each)
    else found.push([each])
    room = joins ? room - 1 : (random?.between(0, 2) ?? 0)
  }
  return found
}

function rewriteGroup(writer: EpochWriter, group: readonly Decoded[], random: Random | undefined): Batch[] {
  const records = join(group.map(recordsOf))
  const observedAt = group.at(-1)?.batch.observed_at ?? 0
  if (group[0]?.batch.snapshot) return writer.snapshot(records, group[0].batch.snapshot.observed_at)
  return cut(records, random).flatMap((delta) => writer.delta(delta, observedAt))
}

function join(deltas: readonly Delta[]): Delta {
  return {
    nodes: deltas.flatMap(({ nodes }) => nodes),
    pods: deltas.flatMap(({ pods }) => pods),
    volumes: deltas.flatMap(({ volumes }) => volumes),
    balancers: deltas.flatMap(({ balancers }) => balancers),
    ends: deltas.flatMap(({ ends }) => ends),
    events: deltas.flatMap(({ events }) => events),
    usage: deltas.flatMap(({ usage }) => usage),
  }
}

/** A node-minute stays whole; what is said about objects comes first. */
function cut(delta: Delta, random: Random | undefined): Delta[] {
  if (!random || delta.usage.length < 2) return [delta]
  const place = random.between(1, delta.usage.length - 1)
  const none = { nodes: [], pods: [], volumes: [], balancers: [], ends: [], events: [] }
  return [
    { ...delta, usage: delta.usage.slice(0, place) },
    { ...none, usage: delta.usage.slice(place) },
  ]
}
