import { count } from '../count.ts'
import { roundToNumber } from '../decimal.ts'
import type { RuleFinding } from '../rules/evaluate.ts'
import { findingKey } from '../rules/savings/list-proposals.ts'
import { severityOf } from '../rules/savings/severity.ts'
import { whyBankable } from '../rules/savings/why-bankable.ts'
import type { Plan, PlanItem, PlanStep } from './plan.ts'

export type BankedByPlan = {
  readonly findings: readonly RuleFinding[]
  /** By key, the bankable savings of each open recommendation, confirmed or not. */
  readonly usdPerMonth: ReadonlyMap<string, number>
}

/**
 * Gives each finding its share of its step, and the severity of that share. A finding outside of steps keeps the
 * value of its rule; a finding without known bankable savings is never severe.
 */
export function bankByPlan(
  findings: readonly RuleFinding[],
  { steps }: Plan,
  items: readonly PlanItem[],
  clusterUsdPerMonth: number | null,
): BankedByPlan {
  const stepOf = new Map(steps.flatMap((step) => step.members.map((key) => [key, step] as const)))
  const usdPerMonth = new Map(
    items.flatMap((item) => {
      const step = stepOf.get(item.key)
      return step && isCounted(step, item) ? [[item.key, roundToNumber(step.shares.get(item.key) ?? 0n)] as const] : []
    }),
  )
  const bank = (finding: RuleFinding): RuleFinding => {
    const key = findingKey(finding)
    const bankableUsdPerMonth = usdPerMonth.get(key) ?? finding.bankableUsdPerMonth
    const weight = { savingUsdPerMonth: bankableUsdPerMonth ?? 0, clusterUsdPerMonth, isUrgent: finding.isUrgent }
    const banked = { ...finding, bankableUsdPerMonth, severity: severityOf(weight) }
    return { ...banked, bankableBecause: whyShare(banked, stepOf.get(key)) }
  }
  return { findings: findings.map(bank), usdPerMonth }
}

/**
 * The rest removes nothing from the bill. This matters for findings that change pods or name nodes, not for the
 * others.
 */
const isCounted = ({ kind }: PlanStep, { role, changes, ownUsdPerMonth }: PlanItem) =>
  kind !== 'rest' ||
  changes.length > 0 ||
  role === 'drain' ||
  role === 'unblock' ||
  (role === 'switch' && ownUsdPerMonth > 0n)

function whyShare(finding: RuleFinding, step: PlanStep | undefined): string {
  if (step?.kind === 'rest' && finding.bankableUsdPerMonth === 0) return whyBankable(finding, 'rest')
  if (step?.kind !== 'free') return whyBankable(finding, step?.kind === 'protect' ? 'protect' : 'step')
  const goes = step.nodes.map(({ name, replacedBy }) =>
    replacedBy === null ? `removes node ${name}` : `replaces node ${name} with ${replacedBy}`,
  )
  const [first = '', ...others] = goes
  const what = others.length === 0 ? first : `removes ${count(step.nodes.length, 'node')}`
  const together = step.members.length - 1
  return together === 0
    ? `In the plan, this change ${what}.`
    : `In the plan, this change ${what}, together with ${count(together, 'other change')}. The bankable amount is the share of this change.`
}
