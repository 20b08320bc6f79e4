import type { Target, Withheld } from '../finding.ts'
import type { RuledFinding } from '../rule.ts'
import { workloadPath } from './list-proposals.ts'

type Split<Each> = { readonly kept: readonly Each[]; readonly withheld: readonly (Withheld & { ruleId: string })[] }

/**
 * A workload that may be deleted needs no limit, label or size until a user decides to keep it. Findings of both kinds
 * would contradict each other and together save more than its cost.
 */
export function withholdOfDeletable<Each extends RuledFinding>(
  findings: readonly Each[],
  isShown: (finding: Each) => boolean,
): Split<Each> {
  const deletable = new Set(findings.filter((each) => proposesDeletion(each) && isShown(each)).map(pathOf))
  const isWithheld = (each: Each) => each.workload !== null && !proposesDeletion(each) && deletable.has(pathOf(each))
  return {
    kept: findings.filter((each) => !isWithheld(each)),
    withheld: findings.filter(isWithheld).map(({ target, rule }) => ({ ...doesNothing(target), ruleId: rule.id })),
  }
}

const proposesDeletion = ({ rule }: RuledFinding) => rule.proposesDeletion === true

const pathOf = ({ target, workload }: RuledFinding) =>
  workloadPath(target.namespace, workload?.kind ?? '', workload?.name ?? '')

export const doesNothing = (target: Target): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'idle_workload',
  detail: 'The workload is idle. Another recommendation covers it.',
  unlock: 'To keep the workload and size its requests, set plimsoll.dev/standby: "true".',
})
