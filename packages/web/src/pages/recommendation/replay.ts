import type { Evidence } from '@plimsoll/contract'
import { dollars } from '../../format/money.ts'

type Result = Evidence['backtest']['results'][number]

/** What each value would save a month: the present one nothing, the proposed one what the recommendation says. */
export function savingOf({ who, estimated_savings: alone }: Result, savings: number): number | null {
  if (who === 'current') return 0
  return who === 'proposed' ? savings : alone
}

/** What the caution costs beside the value that people know, in a sentence; nothing where it costs or spares nothing. */
export function besideVpa(results: readonly Result[], savings: number): string {
  const [ours, theirs] = (['proposed', 'vpa'] as const).map((wanted) => results.find(({ who }) => who === wanted))
  const theirSavings = theirs?.estimated_savings ?? null
  if (!ours || !theirs || theirSavings === null) return ''
  const dearer = theirSavings - savings
  const spared = Math.round(theirs.minutes_short - ours.minutes_short)
  if (dearer < 1 || spared < 1) return ''
  return `For ${dollars(dearer)} a month less saved than with VPA’s value, ${spared.toLocaleString('en-US')} fewer minutes short.`
}
