import { digestOf, type EncodedBatch } from '@plimsoll/agent'
import { Random } from '../random.ts'

/** Flips a byte in some batches. The digest of the original body stays, so the server detects the damage on arrival. */
export function corruptBytes(
  batches: readonly EncodedBatch[],
  { seed, share }: { seed: number; share: number },
): EncodedBatch[] {
  const random = new Random(seed)
  return batches.map((batch) => {
    if (random.next() >= share) return batch
    const body = Uint8Array.from(batch.body)
    const place = random.between(0, body.length - 1)
    body[place] = (body[place] ?? 0) ^ random.between(1, 255)
    return { ...batch, body }
  })
}

/** Truncates some batches with a matching digest, so the damage appears only on decompression. */
export function truncateBodies(
  batches: readonly EncodedBatch[],
  { seed, share }: { seed: number; share: number },
): EncodedBatch[] {
  const random = new Random(seed)
  return batches.map((batch) => (random.next() < share ? truncated(batch, random) : batch))
}

/** Truncates one part of the first snapshot with several parts, so that it stays incomplete. */
export function truncatePart(batches: readonly EncodedBatch[], { seed }: { seed: number }): EncodedBatch[] {
  const random = new Random(seed)
  const last = batches.findIndex(({ headers }) => /^([2-9]|\d\d+)\/\1$/.test(headers['plimsoll-part'] ?? ''))
  const parts = Number(batches[last]?.headers['plimsoll-part']?.split('/')[1] ?? 1)
  const victim = last - random.between(0, parts - 1)
  return batches.map((batch, index) => (last >= 0 && index === victim ? truncated(batch, random) : batch))
}

function truncated({ headers, body }: EncodedBatch, random: Random): EncodedBatch {
  const cut = body.slice(0, random.between(1, body.length - 1))
  return { headers: { ...headers, 'content-digest': digestOf(cut) }, body: cut }
}
