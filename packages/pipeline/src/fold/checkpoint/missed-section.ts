import { section } from './section.ts'

/** The times of snapshots, and objects that were missing from a snapshot without a reported end. */
type SavedMissed = { snapshotTimes: number[]; missed: [ref: number, at: number][] }

export const missedSection = section<SavedMissed>(
  'missed',
  function* ({ inventory, snapshotTimes }, numbers) {
    const missed = [...inventory.nodes.values(), ...inventory.pods.values()].flatMap(({ uid, missedAt }) =>
      Number.isFinite(missedAt) ? [[numbers.of(uid), missedAt] as [number, number]] : [],
    )
    yield { snapshotTimes: [...snapshotTimes], missed }
  },
  ({ inventory, snapshotTimes }, part, numbers) => {
    for (const at of part.snapshotTimes) snapshotTimes.add(at)
    for (const [ref, at] of part.missed) inventory.miss(numbers.uid(ref), at)
  },
)
