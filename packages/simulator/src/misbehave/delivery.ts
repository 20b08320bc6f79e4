import { type EncodedBatch, minuteOf } from '@plimsoll/agent'
import { Random } from '../random.ts'

/** Drops the batches of some minutes, so the sequence has a gap. */
export function dropMinutes(
  batches: readonly EncodedBatch[],
  { fromMinute, minutes }: { fromMinute: number; minutes: number },
): EncodedBatch[] {
  return batches.filter((batch) => {
    const minute = minuteOf(batch)
    return minute < fromMinute || minute >= fromMinute + minutes
  })
}

/** Drops a `share` of the batches. */
export function dropSome(
  batches: readonly EncodedBatch[],
  { seed, share }: { seed: number; share: number },
): EncodedBatch[] {
  const random = new Random(seed)
  return batches.filter(() => random.next() >= share)
}

/** Repeats some batches later. Facts are neither lost nor added. */
export function duplicate(
  batches: readonly EncodedBatch[],
  { seed, share }: { seed: number; share: number },
): EncodedBatch[] {
  const random = new Random(seed)
  const copies = batches.flatMap((batch, place) =>
    random.next() < share ? [{ batch, place: place + random.between(0, 5) + 0.5 }] : [],
  )
  return inPlace([...batches.map((batch, place) => ({ batch, place })), ...copies])
}

/** Reorders batches by at most `window` positions. Facts are neither lost nor added. */
export function reorder(
  batches: readonly EncodedBatch[],
  { seed, window }: { seed: number; window: number },
): EncodedBatch[] {
  const random = new Random(seed)
  return inPlace(batches.map((batch, place) => ({ batch, place: place + random.next() * window })))
}

function inPlace(placed: readonly { batch: EncodedBatch; place: number }[]): EncodedBatch[] {
  return [...placed].sort((a, b) => a.place - b.place).map(({ batch }) => batch)
}
