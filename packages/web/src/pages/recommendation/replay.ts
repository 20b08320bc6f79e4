import type { Evidence, LevelName } from '@plimsoll/contract'
import { levelRanks } from '../../format/labels.ts'
import { dollars } from '../../format/money.ts'
import { days, number } from '../../format/quantity.ts'
import { wholeDifference } from '../../format/round.ts'

type Result = Evidence['backtest']['results'][number]

/**
 * Estimated savings of each value at the time of the evidence; later figures are not comparable. Old evidence has none, so the
 * proposed value uses the savings of the recommendation.
 */
export function savingOf({ who, estimated_savings: alone }: Result, savings: number): number | null {
  if (who === 'current') return 0
  return who === 'proposed' ? (alone ?? savings) : alone
}

/** The risk of the recommendation, and its reasons. */
export type RiskOfChange = { level: LevelName; reasons: readonly string[] }

/** Why the risk of the recommendation differs from the risk of the replay; empty if both are the same. */
export function riskWords(results: readonly Result[], { level, reasons }: RiskOfChange): string {
  const replayed = results.find(({ who }) => who === 'proposed')?.risk
  if (replayed === undefined || replayed === level) return ''
  const because = reasons.length === 0 ? '' : `: ${reasons.join('; ')}`
  return levelRanks[level] > levelRanks[replayed]
    ? `Back-test: ${replayed} shortage risk. The risk of the recommendation is ${level}, because it also includes the rollout and the start of the pods${because}.`
    : `Back-test: ${replayed} shortage risk. The risk of the recommendation is ${level}.`
}

/** Compares the proposal with VPA in one sentence; empty if there is no difference. */
export function besideVpa(results: readonly Result[], window: Evidence['window']): string {
  const [ours, theirs] = (['proposed', 'vpa'] as const).map((wanted) => results.find(({ who }) => who === wanted))
  const [our, their] = [ours?.estimated_savings ?? null, theirs?.estimated_savings ?? null]
  if (!ours || !theirs || our === null || their === null) return ''
  const dearer = their - our
  const spared = wholeDifference(theirs.minutes_short, ours.minutes_short)
  if (dearer < 1 || spared < 1) return ''
  const when = window ? ` in ${days(window.hours)}` : ''
  const cost = our < 0 ? `costs ${dollars(dearer)}/month more` : `saves ${dollars(dearer)}/month less`
  return `The proposal ${cost} than the VPA value. It is short of CPU for ${number(spared)} fewer minutes${when}.`
}
