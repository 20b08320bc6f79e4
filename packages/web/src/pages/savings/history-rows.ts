import type { Recommendation, RecommendationGroup } from '@plimsoll/contract'
import { number } from '../../format/quantity.ts'
import { verificationLabels } from '../../format/labels.ts'
import { targetName } from '../../parts/change-text.tsx'
import { historyStates, type HistoryState } from '../../url-parameters.ts'

export const isUndone = ({ verification }: Recommendation) =>
  verification === 'reverted' || verification === 'regressed'

export const doneAt = ({ done_at: done, updated_at: updated }: Recommendation) => done ?? updated

/** Reverted and regressed changes first, because they need attention; then the newest. */
export const inOrder = (a: Recommendation, b: Recommendation) =>
  Number(isUndone(b)) - Number(isUndone(a)) || doneAt(b).localeCompare(doneAt(a))

export const stateOf = ({ verification }: Recommendation): HistoryState => verification ?? 'done'

export const stateWord = (state: HistoryState) => (state === 'done' ? 'Resolved' : verificationLabels[state].word)

export type HistoryChoice = { value: HistoryState | 'all'; word: string }

/** The API value for changes without verification. */
export const verificationOf = (state: HistoryState) => (state === 'done' ? '__none__' : state)

type Counted = Pick<RecommendationGroup, 'verification' | 'count'>

export const countOf = (groups: readonly Counted[], state: HistoryState | undefined) =>
  groups
    .filter(({ verification }) => state === undefined || verification === verificationOf(state))
    .reduce((sum, { count }) => sum + count, 0)

/** The states with rows and their counts, and the selected state even without rows. */
export function historyChoices(groups: readonly Counted[], picked: HistoryState | undefined): HistoryChoice[] {
  const numberOf = (state?: HistoryState) => number(countOf(groups, state))
  const shown = historyStates.filter((state) => countOf(groups, state) > 0 || state === picked)
  return [
    { value: 'all', word: `All ${numberOf()}` },
    ...shown.map((value) => ({ value, word: `${stateWord(value)} ${numberOf(value)}` })),
  ]
}

/** All digits of the API. */
export function historyCsv(rows: readonly Recommendation[], nameOf: (clusterId: string) => string): string[][] {
  const amount = (usd: number | null | undefined) => (usd === null || usd === undefined ? '' : String(usd))
  const lines = rows.map((row) => [
    ...[row.id, nameOf(row.cluster_id), row.namespace, targetName(row).main, row.rule_id, doneAt(row), stateOf(row)],
    ...[amount(row.estimated_savings), amount(row.bankable_savings)],
    amount(row.verification_detail?.observed_savings),
    amount(row.verification_detail?.realised_savings),
  ])
  return [csvHead, ...lines]
}

const csvHead = [
  ...['id', 'cluster', 'namespace', 'name', 'rule_id', 'done_at', 'verification'],
  ...['estimated_usd_per_month', 'bankable_usd_per_month', 'observed_usd_per_month', 'freed_so_far_usd'],
]
