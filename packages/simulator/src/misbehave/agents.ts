import { decodeBatch, encodeBatch, type EncodedBatch, minuteOf } from '@plimsoll/agent'
import type { Batch } from '@plimsoll/contract'
import { rewriteEpoch } from './rewrite-epoch.ts'

/** The same facts in other batches of another epoch. */
export function resplit(
  batches: readonly EncodedBatch[],
  { seed, epoch }: { seed: number; epoch: string },
): EncodedBatch[] {
  return rewriteEpoch(batches, { epoch, cutSeed: seed })
}

/** Replaces the log before this minute. Facts are neither lost nor added. */
export function changeEpoch(
  batches: readonly EncodedBatch[],
  { atMinute, epoch }: { atMinute: number; epoch: string },
): EncodedBatch[] {
  const before = batches.filter((batch) => minuteOf(batch) < atMinute)
  return [...before, ...rewriteEpoch(batches, { epoch, fromMinute: atMinute })]
}

/** Adds a second agent that reports the same from this minute on. */
export function addSecondAgent(
  batches: readonly EncodedBatch[],
  { fromMinute, epoch }: { fromMinute: number; epoch: string },
): EncodedBatch[] {
  const both = [...batches, ...rewriteEpoch(batches, { epoch, fromMinute })]
  return both
    .map((batch) => ({ batch, minute: minuteOf(batch) }))
    .sort((a, b) => a.minute - b.minute)
    .map(({ batch }) => batch)
}

/** An agent with a wrong clock: all times are shifted. Minutes are shifted by whole minutes, rounded down. */
export function skewClock(batches: readonly EncodedBatch[], { seconds }: { seconds: number }): EncodedBatch[] {
  return batches.map((encoded) => {
    const { batch, epoch, seq } = decodeBatch(encoded)
    return encodeBatch({ batch: skewed(batch, seconds), epoch, seq }, encoded.headers['plimsoll-cluster-uid'])
  })
}

function skewed(batch: Batch, seconds: number): Batch {
  // A time of 0 means unset.
  const moved = (column: number[]) => column.map((time) => (time === 0 ? 0 : time + seconds))
  const { namespaces, nodes, pods, volumes, balancers, ends, events, minutes, snapshot } = batch
  return {
    ...batch,
    observed_at: batch.observed_at + seconds,
    ...(snapshot ? { snapshot: { ...snapshot, observed_at: snapshot.observed_at + seconds } } : {}),
    ...(namespaces ? { namespaces: { ...namespaces, from: moved(namespaces.from) } } : {}),
    nodes: { ...nodes, from: moved(nodes.from), created_at: moved(nodes.created_at) },
    pods: { ...pods, from: moved(pods.from), bound_at: moved(pods.bound_at) },
    volumes: { ...volumes, from: moved(volumes.from) },
    balancers: { ...balancers, from: moved(balancers.from) },
    ends: { ...ends, at: moved(ends.at) },
    events: { ...events, at: moved(events.at) },
    minutes: { ...minutes, minute: minutes.minute.map((minute) => minute + Math.floor(seconds / 60)) },
  }
}
