import { constants, gunzipSync } from 'node:zlib'
import type { Batch, BatchReader, ContainerSample } from '@plimsoll/contract'
import type { Delta } from './epoch-writer.ts'
import type { EncodedBatch } from './encode.ts'

/** The records of a batch instead of its columns. */
export function recordsOf({ batch, reader }: { batch: Batch; reader: BatchReader }): Delta {
  return {
    namespaces: reader.namespaces(),
    nodes: reader.nodes(),
    pods: reader.pods(),
    volumes: reader.volumes(),
    balancers: reader.balancers(),
    objects: reader.objects(),
    ends: reader.ends(),
    events: reader.events(),
    usage: nodeMinutes(batch.minutes),
  }
}

/** Joins several minutes in order. */
export function joinDeltas(deltas: readonly Delta[]): Delta {
  return {
    namespaces: deltas.flatMap(({ namespaces }) => namespaces),
    nodes: deltas.flatMap(({ nodes }) => nodes),
    pods: deltas.flatMap(({ pods }) => pods),
    volumes: deltas.flatMap(({ volumes }) => volumes),
    balancers: deltas.flatMap(({ balancers }) => balancers),
    objects: deltas.flatMap(({ objects }) => objects),
    ends: deltas.flatMap(({ ends }) => ends),
    events: deltas.flatMap(({ events }) => events),
    usage: deltas.flatMap(({ usage }) => usage),
  }
}

function nodeMinutes(columns: Batch['minutes']): Delta['usage'] {
  let next = 0
  return columns.node_ref.map((nodeRef, row) => {
    const first = next
    next += columns.sample_count[row] ?? 0
    const samples = Array.from({ length: next - first }, (_, index) => sampleAt(columns, first + index))
    return { nodeRef, minute: columns.minute[row] ?? 0, samples }
  })
}

function sampleAt(columns: Batch['minutes'], index: number): ContainerSample {
  return {
    podRef: columns.pod_ref[index] ?? 0,
    container: columns.container[index] ?? 0,
    cpuMeanTenths: columns.cpu_mean[index] ?? 0,
    cpuAboveTenths: columns.cpu_above[index] ?? 0,
    memoryMeanKib: columns.memory_mean[index] ?? 0,
    memoryAboveKib: columns.memory_above[index] ?? 0,
  }
}

/** The minute of a batch: a snapshot belongs to the minute that begins, changes to the minute that ended. */
export function minuteOf({ headers, body }: EncodedBatch): number {
  // The time is near the beginning, so the rest of a large batch need not be parsed.
  const beginning = gunzipSync(body.subarray(0, BYTES_TO_TIME), { finishFlush: constants.Z_SYNC_FLUSH }).toString(
    'utf8',
  )
  const observedAt = Number(/"observed_at":(\d+)/.exec(beginning)?.[1])
  return headers['plimsoll-part'] === undefined ? Math.ceil(observedAt / 60) - 1 : Math.floor(observedAt / 60)
}

const BYTES_TO_TIME = 2048

export function minuteOfBatch({ snapshot, observed_at: observedAt }: Batch): number {
  return snapshot ? Math.floor(snapshot.observed_at / 60) : Math.ceil(observedAt / 60) - 1
}
