import { countObjects, type KeptState } from './kept-states.ts'

const objectsPerMinute = 2_000
const minutesMax = 10
const batchesMax = 120

/**
 * A larger state may wait longer, up to ten minutes. A crash then repeats at most ten minutes of folding. Small states,
 * and states that may be evicted from memory, are written every time.
 */
export function isCheckpointDue({ state, unsaved }: KeptState, hasRoom: boolean, now: Date): boolean {
  if (unsaved.size === 0) return false
  if (!hasRoom || unsaved.size >= batchesMax) return true
  const waitMinutes = Math.min(minutesMax, Math.floor(countObjects(state) / objectsPerMinute))
  if (waitMinutes === 0) return true
  const oldest = Math.min(...[...unsaved.values()].map((receivedAt) => receivedAt.getTime()))
  return now.getTime() - oldest >= waitMinutes * 60_000
}
