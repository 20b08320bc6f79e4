import type { Evidence } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'
import { number } from '../../format/quantity.ts'

type Result = Evidence['backtest']['results'][number]

/**
 * What each value would save a month, all as of when the evidence was written: later figures cannot be compared with it. What
 * was written before these were known has only what the recommendation says, of the proposed one.
 */
export function savingOf({ who, estimated_savings: alone }: Result, savings: number): number | null {
  if (who === 'current') return 0
  return who === 'proposed' ? (alone ?? savings) : alone
}

/** What the caution costs beside the value that people know, in a sentence; nothing where it costs or spares nothing. */
export function besideVpa(results: readonly Result[]): string {
  const [ours, theirs] = (['proposed', 'vpa'] as const).map((wanted) => results.find(({ who }) => who === wanted))
  const [our, their] = [ours?.estimated_savings ?? null, theirs?.estimated_savings ?? null]
  if (!ours || !theirs || our === null || their === null) return ''
  const dearer = their - our
  const spared = theirs.minutes_short - ours.minutes_short
  if (dearer < 1 || spared < 1) return ''
  return `For ${dollars(dearer)} a month less saved than with VPA’s value, ${number(spared)} fewer minutes short.`
}
