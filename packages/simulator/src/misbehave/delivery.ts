import { type EncodedBatch, minuteOf } from '@plimsoll/agent'
import { Random } from '../random.ts'

/** Minutes that nobody will ever see: the batches about them are lost, and the sequence has a hole. */
export function dropMinutes(
  batches: readonly EncodedBatch[],
  { fromMinute, minutes }: { fromMinute: number; minutes: number },
): EncodedBatch[] {
  return batches.filter((batch) => {
    const minute = minuteOf(batch)
    return minute < fromMinute || minute >= fromMinute + minutes
  })
}

/** Some batches, a `share` of them, are lost. */
export function dropSome(
  batches: readonly EncodedBatch[],
  { seed, share }: { seed: number; share: number },
): EncodedBatch[] {
  const random = new Random(seed)
  return batches.filter(() => random.next() >= share)
}

/** Some batches come twice, the second time some places later. No fact is lost and none is new. */
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

/** Batches overtake each other, none by more than `window` places. No fact is lost and none is new. */
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
