import type { Drift, SeverityName } from '@plimsoll/contract'
import { severityOf, type RuleFinding } from '@plimsoll/engine/rules'
import { contentOf, rankOf } from './finding-content.ts'
import { quantities } from './quantities.ts'
import { openKey } from './reconcile.ts'
import type { BankableChange, OpenRecommendation, StoredFinding } from './rows.ts'
import type { StoredContent } from './stored-content.ts'

/** Compares the stored forms. Two findings look the same in the dashboard if and only if these are equal. */
export const isOther = (row: OpenRecommendation, stored: StoredFinding) =>
  row.missing_since !== null ||
  canonical(row.content) !== canonical(stored.content) ||
  [row.title, row.severity, row.risk, row.confidence, row.pod_name, row.basis].join('\n') !==
    [stored.title, stored.severity, stored.risk, stored.confidence, stored.podName, stored.basis].join('\n') ||
  Number(row.estimated_savings) !== Number(stored.estimated) ||
  nullable(row.bankable_savings) !== nullable(stored.bankable)

/**
 * A change of the savings by cents keeps the evidence. A larger change would contradict the figures beside the
 * evidence.
 */
export const needsNewEvidence = (row: OpenRecommendation, stored: StoredFinding) =>
  isEdited(row, stored) ||
  row.risk !== stored.risk ||
  row.confidence !== stored.confidence ||
  hasMoved(Number(row.estimated_savings), Number(stored.estimated))

const hasMoved = (before: number, after: number) => Math.abs(after - before) > Math.max(1, Math.abs(before) / 20)

/** How the bankable savings relate to the estimate. The stored reason explains this relation. */
const relationOf = (estimated: string, bankable: string | null) =>
  bankable === null || Number(bankable) === 0
    ? bankable && 'none'
    : Math.sign(Math.round((Number(bankable) - Number(estimated)) * 100))

const nullable = (text: string | null) => (text === null ? null : Number(text))

/** The change that a user would approve is different. */
export const isEdited = (row: OpenRecommendation, stored: StoredFinding) =>
  proposalOf(row.content) !== proposalOf(stored.content)

/** The change itself, without what is shown beside it. */
function proposalOf(content: StoredContent): string {
  const {
    costUsdPerMonth: _price,
    claim: _shownAs,
    bankableBecause: _why,
    riskReasons: _risk,
    action: _how,
    ...change
  } = content
  return canonical(change)
}

/** PostgreSQL does not preserve the order of JSON object members. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
}

type Bankable = {
  /** By rule and target: the share of each open recommendation in its plan step. */
  credits: ReadonlyMap<string, number>
  /** Null: not known. */
  clusterUsdPerMonth: number | null
  /** Rule and target of recommendations whose nodes cannot be drained now. */
  held: ReadonlySet<string>
}

/** A constant text: the blockers change with every pod, and the withheld recommendations name them. */
const heldBecause =
  'In the last analysis, none of these nodes could be drained, so the bill does not drop now. The withheld recommendations name the blockers.'

/** Texts that earlier versions stored for the same state. */
const heldTexts: ReadonlySet<string | null> = new Set([
  heldBecause,
  'The bill does not drop now: none of these nodes can be drained. The withheld recommendations name the blockers.',
  'Nothing leaves the bill for now: none of these machines can be emptied. What is withheld says what keeps them.',
])

/**
 * An approved recommendation is frozen, and an unconfirmed one keeps its content. Bankable savings and severity are
 * still updated, because they depend on all other recommendations. A recommendation without known bankable savings is
 * never critical.
 */
export function bankableOf(row: OpenRecommendation, finding: RuleFinding | null, around: Bankable): BankableChange[] {
  const { credits, clusterUsdPerMonth, held } = around
  const key = openKey(row.rule_id, row.target_key)
  const reason = row.content.bankableBecause ?? null
  const change = (bankable: string | null, because: string | null, severity: SeverityName): BankableChange[] => [
    { id: row.recommendation_id, bankable, because, severity, severityRank: rankOf(severity) },
  ]
  if (held.has(key)) return reason === heldBecause && row.severity === 'low' ? [] : change('0', heldBecause, 'low')
  const isSame = finding !== null && proposalOf(row.content) === proposalOf(contentOf(finding))
  const usd = credits.get(key) ?? (isSame ? finding.bankableUsdPerMonth : null)
  // The nodes can be drained again, but the bankable savings are not known.
  if (usd === null) return heldTexts.has(reason) ? change(null, null, 'low') : []
  const bankable = usd.toFixed(6)
  const isOtherFigure = nullable(row.bankable_savings) !== Number(bankable)
  const relation = relationOf(row.estimated_savings, bankable)
  const fits = isSame && relationOf(String(finding.estimatedUsdPerMonth), bankable) === relation
  // A reason given for another figure or another estimate may not hold here.
  const because = fits ? finding.bankableBecause : isSame || isOtherFigure ? null : reason
  const weight = { savingUsdPerMonth: usd, clusterUsdPerMonth, isUrgent: wasUrgent(row) }
  const severity = finding?.severity ?? severityOf(weight)
  return isOtherFigure || because !== reason || severity !== row.severity ? change(bankable, because, severity) : []
}

/** A recommendation without savings is critical only if something is broken. */
const wasUrgent = ({ severity, estimated_savings: usd }: OpenRecommendation) =>
  severity === 'critical' && Number(usd) <= 0

export function driftOf(
  row: OpenRecommendation | undefined,
  finding: RuleFinding | null,
  now: Date,
): { id: string; drift: Drift | null }[] {
  if (!row) return []
  const drift = finding === null ? driftOfMissing(now) : otherDrift(row, finding, now)
  const { at: _before, ...before } = row.drift ?? { at: '' }
  const { at: _after, ...after } = drift ?? { at: '' }
  return canonical(before) === canonical(after) ? [] : [{ id: row.recommendation_id, drift }]
}

const driftOfMissing = (now: Date): Drift => ({
  at: now.toISOString(),
  kind: 'no_longer_found',
  recommended_spec: {},
  estimated_savings: 0,
})

function otherDrift(row: OpenRecommendation, finding: RuleFinding, now: Date): Drift | null {
  const spec = canonical(finding.recommendedSpec)
  if (spec === canonical(row.content.recommended)) return null
  return {
    at: now.toISOString(),
    kind: 'differs',
    recommended_spec: quantities(finding.recommendedSpec),
    estimated_savings: Number(finding.estimatedUsdPerMonth.toFixed(6)),
  }
}
