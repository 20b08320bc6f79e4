import type { ClusterFacts, FactName } from './facts/cluster-facts.ts'
import type { Category, Verdict } from './finding.ts'

/** One rule is one file. What is written here is what `/api/v1/rules` and docs/rules.md say about it. */
export type Rule = {
  /** snake_case; never changes. */
  readonly id: string
  readonly category: Category
  readonly title: string
  readonly description: string
  /** When it speaks, in words. */
  readonly trigger: string
  /** How the saving of a month is computed, in words. */
  readonly saving: string
  /** What keeps it silent or careful, in words. */
  readonly guards: readonly string[]
  readonly needs: readonly FactName[]
  /** Whether it is about money: then a small saving is not worth showing. */
  readonly isAboutMoney: boolean
  readonly judge: (facts: ClusterFacts) => Verdict[]
}
