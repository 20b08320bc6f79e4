import type { FoldState } from '../fold-state.ts'
import { section } from './section.ts'

type SavedClock = {
  /** Null before the first batch. */
  firstSecond: number | null
  watermark: number
  agent: FoldState['agent'] | null
}

export const clockSection = section<SavedClock>(
  'clock',
  function* ({ firstSecond, watermark, agent }) {
    yield { firstSecond: Number.isFinite(firstSecond) ? firstSecond : null, watermark, agent: agent ?? null }
  },
  (state, { firstSecond, watermark, agent }) => {
    state.firstSecond = firstSecond ?? Number.POSITIVE_INFINITY
    state.watermark = watermark
    state.agent = agent ?? undefined
  },
)
