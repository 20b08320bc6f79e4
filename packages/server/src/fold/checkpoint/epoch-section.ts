import { section } from './section.ts'

type SavedEpoch = {
  id: string
  refs: number[]
  numbers: number[]
  listing: { id: string; parts: number[]; uids: string[] } | null
}

/** An epoch also remembers objects that are forgotten by now; their minutes are too late anyway. */
export const epochSection = section<SavedEpoch>(
  'epochs',
  function* ({ epochs }, numbers) {
    for (const [id, { uids, listing }] of epochs) {
      const known = [...uids].filter(([, uid]) => numbers.find(uid) !== undefined)
      yield {
        id,
        refs: known.map(([ref]) => ref),
        numbers: known.map(([, uid]) => numbers.of(uid)),
        listing: listing ? { id: listing.id, parts: [...listing.parts], uids: [...listing.uids] } : null,
      }
    }
  },
  ({ epochs }, { id, refs, numbers: objects, listing }, numbers) => {
    epochs.set(id, {
      uids: new Map(refs.map((ref, index) => [ref, numbers.uid(objects[index] ?? 0)])),
      listing: listing ? { id: listing.id, parts: new Set(listing.parts), uids: new Set(listing.uids) } : undefined,
    })
  },
)
