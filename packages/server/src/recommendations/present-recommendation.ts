import type {
  Deliverer,
  Evidence,
  HistoryEntry,
  Recommendation,
  RecommendationWithEvidence,
  WithheldAdvice,
} from '@plimsoll/contract'
import { RULES, ruleShortName, SEEN_USD_MIN } from '@plimsoll/engine/rules'
import type { HistoryRow } from './queries/recommendation-history.ts'
import type { RecommendationRow } from './queries/recommendations.ts'
import type { WithheldRow } from './queries/withheld.ts'
import { dated } from '@plimsoll/pipeline/prices'
import { quantities, type StoredEvidence } from '@plimsoll/pipeline/advice'
import { allowedActions, type Permissions } from './allowed-actions.ts'
import type { StepReferences } from './plan-step-reference.ts'

/** The stored text names nodes and counts recommendations that a role limited to namespaces may not see. */
function whyBankable({ content, bankable_savings: bankable }: RecommendationRow, { namespaces = null }: Permissions) {
  const because = content.bankableBecause ?? null
  return namespaces !== null && Number(bankable ?? 0) > 0
    ? 'The amount is the share of this recommendation in the savings of its plan step.'
    : because
}

/** With `steps`, the answer names the step of the plan. */
export function presentRecommendation(
  row: RecommendationRow,
  caller: Permissions,
  steps?: StepReferences,
): Recommendation {
  const { content } = row
  return {
    id: row.recommendation_id,
    cluster_id: row.cluster_id,
    title: row.title,
    rule_id: row.rule_id,
    rule_name: ruleShortName(row.rule_id),
    category: row.category,
    severity: row.severity,
    estimated_savings: Number(row.estimated_savings),
    bankable_savings: row.bankable_savings === null ? null : Number(row.bankable_savings),
    bankable_because: whyBankable(row, caller),
    currency: 'USD',
    pod_name: row.pod_name,
    namespace: row.namespace,
    workload:
      row.workload_kind === null || row.workload_name === null
        ? null
        : { kind: row.workload_kind, name: row.workload_name, container: row.container ?? '' },
    volume_claim: content.claim ?? null,
    status: row.status,
    current_spec: quantities(content.current),
    recommended_spec: quantities(content.recommended),
    change: content.change,
    risk: row.risk,
    risk_reasons: [...(content.riskReasons ?? [])],
    confidence: row.confidence,
    verification: row.verification,
    verification_detail: presentVerification(row.verification_detail),
    drift: row.drift,
    unconfirmed_since: row.status === 'pending' ? (row.missing_since?.toISOString() ?? null) : null,
    ...(steps ? { plan_step: steps.get(row.recommendation_id) ?? null } : {}),
    bundle_id: row.bundle_id,
    snoozed_until: row.snoozed_until?.toISOString() ?? null,
    allowed_actions: allowedActions(row, caller),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    done_at: row.done_at?.toISOString() ?? null,
  }
}

type LaterField = 'checks' | 'saving_lines'

export type EvidenceRow = {
  /** Evidence of early versions has no checks and lines. */
  evidence: Omit<StoredEvidence, LaterField> & Partial<Pick<StoredEvidence, LaterField>>
  written_at: Date
}

/** For lists. */
export const presentRecommendations = (
  rows: readonly RecommendationRow[],
  caller: Permissions,
  steps?: StepReferences,
) => rows.map((row) => presentRecommendation(row, caller, steps))

export function presentWithEvidence(
  row: RecommendationRow,
  caller: Permissions,
  {
    found,
    deliverers,
    steps,
  }: { found: EvidenceRow | undefined; deliverers: readonly Deliverer[]; steps: StepReferences },
): RecommendationWithEvidence {
  const shown = presentRecommendation(row, caller, steps)
  const delivered = deliverers.length === 0 ? {} : { delivered_by: [...deliverers] }
  return { ...shown, evidence: found ? presentStored(found, shown) : null, ...delivered }
}

/**
 * Evidence of earlier versions has its own reason, which may belong to another figure: the reason of the row replaces
 * it.
 */
function presentStored(
  { evidence: { saving_lines: lines = [], ...evidence }, written_at }: EvidenceRow,
  { bankable_because, rule_id: ruleId, estimated_savings: usd }: Recommendation,
): Evidence {
  return {
    ...evidence,
    checks: evidence.checks ?? [],
    backtest: {
      ...evidence.backtest,
      results: evidence.backtest.results.map((each) => ({
        ...each,
        estimated_savings: each.estimated_savings ?? null,
      })),
    },
    prices: evidence.prices.map((price) => ({
      ...price,
      gpu_usd_per_gpu_month: price.gpu_usd_per_gpu_month ?? null,
      source: price.source ?? null,
      ...dated(price.as_of ?? null),
    })),
    saving: {
      formula: formulas.get(ruleId) ?? '',
      lines: upToDate(lines, usd).map((line) => ({ ...line, ...dated(line.as_of) })),
    },
    bankable_because,
    written_at: written_at.toISOString(),
  }
}

const formulas = new Map(RULES.map(({ id, saving }) => [id, saving]))

/** Evidence is not rewritten for small changes of prices or usage: a line shows the difference. */
function upToDate(lines: SavingLines, usd: number): SavingLines {
  const moved = usd - lines.reduce((sum, { usd_per_month: each }) => sum + each, 0)
  if (lines.length === 0 || Math.abs(moved) < SEEN_USD_MIN) return lines
  const what = 'Changed since the analysis: prices, usage or replicas'
  const none = { quantity: null, unit: null, usd_per_unit: null, per: null, hours: null, source: null, as_of: null }
  return [...lines, { what, ...none, estimated: false, usd_per_month: Number(moved.toFixed(6)) }]
}

type SavingLines = Evidence['saving']['lines']

/** Without data for verifications of versions that did not store the time and the monthly savings. */
const presentVerification = (detail: RecommendationRow['verification_detail']) =>
  detail && { ...detail, observed_at: detail.observed_at ?? null, observed_savings: detail.observed_savings ?? null }

/** As Kubernetes writes them; unset values are omitted. */
export const presentHistory = (row: HistoryRow): HistoryEntry => ({
  at: row.at.toISOString(),
  action: row.action,
  from_status: row.from_status,
  to_status: row.to_status,
  actor: { kind: row.actor_kind ?? 'engine', id: row.actor_id, email: row.actor_email },
  reason: row.reason,
  detail: row.detail,
})

export const presentWithheld = (row: WithheldRow): WithheldAdvice => ({
  cluster_id: row.cluster_id,
  rule_id: row.rule_id,
  object: row.target,
  reason: row.reason,
  detail: row.detail,
  unlock: row.unlock,
  since: row.since.toISOString(),
})
