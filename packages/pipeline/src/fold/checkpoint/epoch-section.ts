import { Gaps, type Gap } from '../gaps.ts'
import { section } from './section.ts'

type SavedEpoch = {
  id: string
  refs: number[]
  numbers: number[]
  listing: { id: string; parts: number[]; uids: string[] } | null
  observedAt?: number
  /** Null where not recorded. */
  lastSeq?: number | null
  holes?: SavedGap[]
}

/** `to` is null as long as it is unknown. */
type SavedGap = { missing: number[]; from: number; to: number | null }

/** An epoch also refers to forgotten objects. Minutes of these objects are too late anyway. */
export const epochSection = section<SavedEpoch>(
  'epochs',
  function* ({ epochs }, numbers) {
    for (const [id, { uids, listing, gaps, observedAt }] of epochs) {
      const known = [...uids].filter(([, uid]) => numbers.find(uid) !== undefined)
      yield {
        id,
        refs: known.map(([ref]) => ref),
        numbers: known.map(([, uid]) => numbers.of(uid)),
        listing: listing ? { id: listing.id, parts: [...listing.parts], uids: [...listing.uids] } : null,
        observedAt,
        lastSeq: gaps.lastSeq ?? null,
        holes: gaps.gaps.map(({ missing, from, to }) => ({
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
      gaps: new Gaps(lastSeq ?? undefined, holes.map(loadGap)),
    })
  },
)

const loadGap = ({ missing, from, to }: SavedGap): Gap => ({
  missing: new Set(missing),
  from,
  to: to ?? Number.POSITIVE_INFINITY,
})
