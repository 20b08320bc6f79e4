import type { FoldState } from '../fold-state.ts'
import { section } from './section.ts'

type SavedClock = {
  /** Null before the first batch. */
  firstSecond: number | null
  watermark: number
  agent: FoldState['agent'] | null
  /** Absent from checkpoints of older versions. */
  kubernetes?: { version: string; from: number }[]
}

export const clockSection = section<SavedClock>(
  'clock',
  function* ({ firstSecond, watermark, agent, kubernetes }) {
    const times = { firstSecond: Number.isFinite(firstSecond) ? firstSecond : null, watermark }
    yield { ...times, agent: agent ?? null, kubernetes: kubernetes.list() }
  },
  (state, { firstSecond, watermark, agent, kubernetes }) => {
    state.firstSecond = firstSecond ?? Number.POSITIVE_INFINITY
    state.watermark = watermark
    state.agent = agent ?? undefined
    const last = { version: agent?.kubernetes_version ?? '', from: watermark }
    for (const { version, from } of kubernetes ?? [last]) state.kubernetes.note(version, from)
  },
)
