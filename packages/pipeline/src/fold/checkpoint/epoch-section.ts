import { Holes, type Hole } from '../holes.ts'
import { section } from './section.ts'

type SavedEpoch = {
  id: string
  refs: number[]
  numbers: number[]
  listing: { id: string; parts: number[]; uids: string[] } | null
  observedAt?: number
  /** Null where not recorded. */
  lastSeq?: number | null
  holes?: SavedHole[]
}

/** `to` is null as long as it is unknown. */
type SavedHole = { missing: number[]; from: number; to: number | null }

/** An epoch also refers to forgotten objects. Minutes of these objects are too late anyway. */
export const epochSection = section<SavedEpoch>(
  'epochs',
  function* ({ epochs }, numbers) {
    for (const [id, { uids, listing, holes, observedAt }] of epochs) {
      const known = [...uids].filter(([, uid]) => numbers.find(uid) !== undefined)
      yield {
        id,
        refs: known.map(([ref]) => ref),
        numbers: known.map(([, uid]) => numbers.of(uid)),
        listing: listing ? { id: listing.id, parts: [...listing.parts], uids: [...listing.uids] } : null,
        observedAt,
        lastSeq: holes.lastSeq ?? null,
        holes: holes.holes.map(({ missing, from, to }) => ({
          missing: [...missing],
          from,
          to: Number.isFinite(to) ? to : null,
        })),
      }
    }
  },
  ({ epochs }, { id, refs, numbers: objects, listing, observedAt = 0, lastSeq, holes = [] }, numbers) => {
    epochs.set(id, {
      uids: new Map(refs.map((ref, index) => [ref, numbers.uid(objects[index] ?? 0)])),
      listing: listing ? { id: listing.id, parts: new Set(listing.parts), uids: new Set(listing.uids) } : undefined,
      observedAt,
      holes: new Holes(lastSeq ?? undefined, holes.map(loadHole)),
    })
  },
)

const loadHole = ({ missing, from, to }: SavedHole): Hole => ({
  missing: new Set(missing),
  from,
  to: to ?? Number.POSITIVE_INFINITY,
})
