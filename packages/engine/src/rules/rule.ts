import type { ClusterFacts, FactName } from './facts/cluster-facts.ts'
import type { Finding, Verdict } from './finding.ts'
import type { Category, Severity, UnsafeKind } from '../vocabulary/recommendations.ts'

/**
 * One rule is one value in one file, and holds every text and every decision of the rule. `/api/v1/rules`, docs/rules.md and
 * the dashboard take their texts from it.
 */
export type Rule = {
  /** snake_case; never changes. */
  readonly id: string
  readonly category: Category
  readonly title: string
  /** Fits into a table column. */
  readonly shortName: string
  readonly description: string
  /** When the rule makes a finding, in words. */
  readonly trigger: string
  /** How the monthly saving is computed, in words. */
  readonly saving: string
  /** What the rule respects or excludes, in words. */
  readonly guards: readonly string[]
  readonly needs: readonly FactName[]
  /** Whether the rule is about money: findings below the minimum saving are then withheld. */
  readonly isAboutMoney: boolean
  /** Its findings carry the request that right-sizing decided. The next analysis starts from that request. */
  readonly isRightSizing?: true
  /** Its findings change no pod: they lift what blocks the drain of a node. */
  readonly liftsBlockers?: true
  /** Its findings ask whether a whole workload can be deleted. Other findings about that workload are then withheld. */
  readonly proposesDeletion?: true
  /** What its findings do in a plan. */
  readonly inPlan: PlanPart | ((finding: Pick<Finding, 'basis'>) => PlanPart)
  /** Its findings are about workloads that fail now; absent: they are not. */
  readonly failure?: Failure
  /** Which findings claim the same money first; absent: the saving counts in full. */
  readonly countsAfter?: CountsAfter
  readonly judge: (facts: ClusterFacts) => Verdict[]
}

export type Failure = {
  readonly kind: UnsafeKind
  /** Only findings of this severity, or with a basis that starts like this; absent: all findings. */
  readonly severity?: Severity
  readonly basis?: string
}

export type PlanRole =
  /** Raises requests or limits that are too small. */
  | 'protect'
  /** Ends something that has its own price. */
  | 'remove'
  /** Removes nodes with the current requests. */
  | 'drain'
  /** Changes pods, so that nodes can be removed. A finding that changes no pod counts as `other`. */
  | 'resize'
  /** Lifts what blocks the drain of a node. */
  | 'unblock'
  /** Replaces machines by others. */
  | 'switch'
  | 'other'

export type PlanPart = {
  readonly role: PlanRole
  /** For the titles of steps, in the imperative: `Lower` 14 `requests`. */
  readonly verb: string
  readonly noun: readonly [one: string, many: string]
}

export const planPartOf = ({ inPlan }: Pick<Rule, 'inPlan'>, finding: Pick<Finding, 'basis'>): PlanPart =>
  typeof inPlan === 'function' ? inPlan(finding) : inPlan

export type CountsAfter =
  /**
   * Findings of `rules` about the same target come first. `share`: the rule makes the remaining cost cheaper, so its saving shrinks in
   * proportion · `rest`: the rule is another way to the same money, so only the part beyond theirs counts.
   */
  | { readonly scope: 'target'; readonly rules: readonly Rule[]; readonly keeps: 'share' | 'rest' }
  /** All findings about the workload come first; of other rules with this scope only `rules`. */
  | { readonly scope: 'workload'; readonly rules: readonly Rule[] }
  /** All findings about workloads of the namespace come first. */
  | { readonly scope: 'namespace' }

/** A finding with the rule that made it. */
export type RuledFinding = Finding & { readonly rule: Rule }
