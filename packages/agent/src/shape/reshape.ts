import { BatchReader, BatchWriter, type Batch, type SnapshotPart } from '@plimsoll/contract'
import type { Delta } from './epoch-writer.ts'
import { joinDeltas, recordsOf } from './records.ts'

/** In order of dependency: a row may refer only to rows before it or in the same batch. */
const tables = ['namespaces', 'nodes', 'pods', 'volumes', 'balancers', 'objects', 'ends', 'events', 'usage'] as const

/** Joins consecutive batches of one epoch; none of them is a snapshot. */
export function joinBatches(batches: readonly [Batch, ...Batch[]]): Batch {
  const last = batches.at(-1) ?? batches[0]
  return write(joinDeltas(batches.map(read)), last)
}

/**
 * The number of rows at which a batch can be split. The usage of a node-minute is one row, because it is never split.
 */
export function countRows(batch: Batch): number {
  const records = read(batch)
  return tables.reduce((sum, table) => sum + records[table].length, 0)
}

/** The rows between two indexes as a separate batch, or as another part of the snapshot. */
export function cutBatch(batch: Batch, { from, to }: { from: number; to: number }, snapshot?: SnapshotPart): Batch {
  const records = read(batch)
  let before = 0
  const cut = <Row>(rows: readonly Row[]): Row[] => {
    const part = rows.slice(Math.max(0, from - before), Math.max(0, to - before))
    before += rows.length
    return part
  }
  const part = {
    namespaces: cut(records.namespaces),
    nodes: cut(records.nodes),
    pods: cut(records.pods),
    volumes: cut(records.volumes),
    balancers: cut(records.balancers),
    objects: cut(records.objects),
    ends: cut(records.ends),
    events: cut(records.events),
    usage: cut(records.usage),
  }
  return write(part, batch, snapshot)
}

const read = (batch: Batch): Delta => recordsOf({ batch, reader: new BatchReader(batch) })

/** Refs stay unchanged, because they belong to the epoch. */
function write(records: Delta, { agent, observed_at: observedAt }: Batch, snapshot?: SnapshotPart): Batch {
  const writer = new BatchWriter()
  for (const each of records.namespaces) writer.addNamespace(each)
  for (const each of records.nodes) writer.addNode(each)
  for (const each of records.pods) writer.addPod(each)
  for (const each of records.volumes) writer.addVolume(each)
  for (const each of records.balancers) writer.addBalancer(each)
  for (const each of records.objects) writer.addObject(each)
  for (const each of records.ends) writer.addEnd(each)
  for (const each of records.events) writer.addEvent(each)
  for (const { nodeRef, minute, samples } of records.usage) writer.addMinute(nodeRef, minute, samples)
  return writer.finish(agent, observedAt, snapshot)
}
