import { COUNTED_THERE, passed } from '../checks.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { targetKey, type Check, type Target } from '../finding.ts'
import type { Rule, RuledFinding } from '../rule.ts'
import { workloadPath } from './list-proposals.ts'
import { showUsd } from '../object-finding.ts'
import { requestUsd } from './request-usd.ts'

/** Whether the finding is large enough to be shown. A finding that is not shown takes nothing from the others. */
type IsShown<Each> = (finding: Each) => boolean

/**
 * Several rules cannot save the same money several times. Each finding counts what is left once the findings before it are
 * applied, so the sum over any of them is never too high.
 */
export function layerSavings<Each extends RuledFinding>(
  findings: readonly Each[],
  facts: ClusterFacts,
  isShown: IsShown<Each>,
): Each[] {
  const usdOf = (finding: Each) => (isShown(finding) ? Math.max(0, finding.estimatedUsdPerMonth) : 0)
  const byNodes = layerNodes(findings, facts, isShown)
  const byTarget = layerTargets(byNodes, usdOf)
  const byWorkload = workloadRules(byTarget).reduce((layered, rule) => layerPods(layered, rule, facts, usdOf), byTarget)
  return layerSchedules(byWorkload, usdOf)
}

type UsdOf<Each> = (finding: Each) => number

/** Its place among rules of the same scope: after all rules that count first. */
const rankOf = ({ countsAfter }: Rule): number =>
  countsAfter === undefined || countsAfter.scope === 'namespace' ? 0 : 1 + Math.max(0, ...countsAfter.rules.map(rankOf))

/** Rules about the pods of a workload after all other rules, in counting order. */
const workloadRules = (findings: readonly RuledFinding[]): Rule[] =>
  [...new Set(findings.map(({ rule }) => rule))]
    .filter(({ countsAfter }) => countsAfter?.scope === 'workload')
    .sort((a, b) => rankOf(a) - rankOf(b))

/**
 * A node that is removed, after its blocker is lifted or with other recommendations, needs no cheaper instance type
 * and strands no capacity: it is not part of the findings for instance types.
 */
function layerNodes<Each extends RuledFinding>(
  findings: readonly Each[],
  { nodes }: ClusterFacts,
  isShown: IsShown<Each>,
): Each[] {
  const lifted = findings.filter((each) => each.rule.liftsBlockers && isShown(each))
  const freed = nodes.filter(({ goesWithAdvice }) => goesWithAdvice)
  const going = new Set([...lifted.map(({ target }) => target.name), ...freed.map(({ name }) => name)])
  const usdOf = new Map(nodes.map(({ name, usdPerMonth }) => [name, usdPerMonth ?? 0]))
  const usd = (names: readonly string[]) => sum(names.map((name) => usdOf.get(name) ?? 0))
  return findings.map((each) => {
    const { machines = [], costUsdPerMonth: cost } = each
    const gone = machines.filter((name) => going.has(name))
    if (gone.length === 0) return each
    const left = leftOf(usd(gone), usd(machines))
    return { ...less(each, left), costUsdPerMonth: cost === null ? null : cost * left }
  })
}

function layerTargets<Each extends RuledFinding>(findings: readonly Each[], usdOf: UsdOf<Each>): Each[] {
  const counted = new Map<string, Each>()
  const keyOf = (rule: Rule, target: Target) => `${rule.id} ${targetKey(target)}`
  const ordered = [...findings].sort((a, b) => rankOf(a.rule) - rankOf(b.rule))
  for (const finding of ordered) {
    const { rule, target } = finding
    const { countsAfter } = rule
    const left =
      countsAfter?.scope === 'target'
        ? leftBy(
            countsAfter.keeps,
            finding,
            countsAfter.rules.flatMap((each) => counted.get(keyOf(each, target)) ?? []),
            usdOf,
          )
        : 1
    counted.set(keyOf(rule, target), less(finding, left))
  }
  return findings.map((finding) => counted.get(keyOf(finding.rule, finding.target)) ?? finding)
}

/** Each earlier finding leaves a part of its own cost, which may be more than the cost of this one. */
function leftBy<Each extends RuledFinding>(
  keeps: 'share' | 'rest',
  finding: Each,
  before: readonly Each[],
  usdOf: UsdOf<Each>,
): number {
  if (keeps === 'rest') return leftOf(sum(before.map(usdOf)), finding.estimatedUsdPerMonth)
  return before.reduce((left, each) => left * leftOf(usdOf(each), each.costUsdPerMonth ?? 0), 1)
}

/** Fewer pods, or pods on spot nodes, save on the requests that the pods have in the end. */
function layerPods<Each extends RuledFinding>(
  findings: readonly Each[],
  rule: Rule,
  { workloads }: ClusterFacts,
  usdOf: UsdOf<Each>,
): Each[] {
  const saved = sumBy(findings, usdOf, (each) => (each.workload && isBefore(each.rule, rule) ? pathOf(each) : null))
  const costs = new Map(workloads.map((each) => [workloadPath(each.namespace, each.kind, each.name), requestUsd(each)]))
  return findings.map((each) => {
    const path = pathOf(each)
    if (each.rule !== rule) return each
    return less(each, leftOf(saved.get(path) ?? 0, costs.get(path) ?? each.costUsdPerMonth ?? 0))
  })
}

const isBefore = (other: Rule, { countsAfter }: Rule): boolean =>
  other.countsAfter?.scope !== 'workload' || (countsAfter?.scope === 'workload' && countsAfter.rules.includes(other))

const pathOf = ({ target, workload }: RuledFinding) =>
  workloadPath(target.namespace, workload?.kind ?? '', workload?.name ?? '')

/** A schedule saves on the requests, pods and nodes after all other findings. */
function layerSchedules<Each extends RuledFinding>(findings: readonly Each[], usdOf: UsdOf<Each>): Each[] {
  const saved = sumBy(findings, usdOf, (each) => (each.workload ? each.target.namespace : null))
  return findings.map((each) =>
    each.rule.countsAfter?.scope === 'namespace'
      ? less(each, leftOf(saved.get(each.target.namespace) ?? 0, each.costUsdPerMonth ?? 0))
      : each,
  )
}

/** The remaining share of an amount, 0 to 1. */
const leftOf = (usd: number, ofUsd: number) => (usd <= 0 ? 1 : ofUsd > 0 ? Math.max(0, 1 - usd / ofUsd) : 0)

function less<Each extends RuledFinding>(finding: Each, left: number): Each {
  const { estimatedUsdPerMonth: own, bankableUsdPerMonth: bankable } = finding
  if (left === 1 || own <= 0) return finding
  return {
    ...finding,
    estimatedUsdPerMonth: own * left,
    bankableUsdPerMonth: bankable === null ? null : bankable * left,
    checks: withAlone(finding.checks, own),
  }
}

/** The savings without other recommendations, stated once. */
const withAlone = (checks: readonly Check[], usd: number): readonly Check[] =>
  checks.some(({ check }) => check === COUNTED_THERE)
    ? checks
    : [...checks, passed(COUNTED_THERE, `applied alone, this change saves ${showUsd(usd)}/month`)]

function sumBy<Each extends RuledFinding>(
  findings: readonly Each[],
  usdOf: UsdOf<Each>,
  keyOf: (finding: Each) => string | null,
): Map<string, number> {
  const sums = new Map<string, number>()
  for (const finding of findings) {
    const key = keyOf(finding)
    if (key !== null) sums.set(key, (sums.get(key) ?? 0) + usdOf(finding))
  }
  return sums
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
