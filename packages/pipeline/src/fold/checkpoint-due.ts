import { countObjects, type KeptState } from './kept-states.ts'

const objectsPerMinute = 2_000
const minutesMax = 10
const batchesMax = 120

/**
 * The larger a state, the longer it may wait: up to ten minutes, in which a crash costs at most that many minutes of folding
 * again. Small ones are written each time, as are those that may be gone from memory when they are needed next.
 */
export function isCheckpointDue({ state, unsaved }: KeptState, hasRoom: boolean, now: Date): boolean {
  if (unsaved.size === 0) return false
  if (!hasRoom || unsaved.size >= batchesMax) return true
  const waitMinutes = Math.min(minutesMax, Math.floor(countObjects(state) / objectsPerMinute))
  if (waitMinutes === 0) return true
  const oldest = Math.min(...[...unsaved.values()].map((receivedAt) => receivedAt.getTime()))
  return now.getTime() - oldest >= waitMinutes * 60_000
}
