import { passed } from '../checks.ts'
import type { ClusterFacts } from '../facts/cluster-facts.ts'
import { targetKey, type Check, type Finding } from '../finding.ts'
import { workloadPath } from './list-proposals.ts'
import { showUsd } from '../object-finding.ts'
import { requestUsd } from './request-usd.ts'

type Told = Finding & { readonly ruleId: string }

/**
 * `share`: it makes cheaper what the others leave, so their share of the cost is gone for it as well · `rest`: it is another
 * way to the same money, so only what is beyond theirs is its own.
 */
type Way = { readonly after: readonly string[]; readonly how: 'share' | 'rest' }

/** About one target; in the order in which they are counted. */
const SAME_TARGET: Readonly<Record<string, Way>> = {
  storage_class_downgrade: { after: ['pv_overprovisioned'], how: 'share' },
  jvm_heap_mismatch: { after: ['container_overprovisioned'], how: 'rest' },
  old_generation_instance: { after: ['node_instance_type_mismatch'], how: 'share' },
  node_fragmentation: { after: ['node_instance_type_mismatch', 'old_generation_instance'], how: 'rest' },
  daemonset_overhead: {
    after: ['node_instance_type_mismatch', 'old_generation_instance', 'node_fragmentation'],
    how: 'rest',
  },
}

/** Those that save on the pods of a workload as the others leave them, in this order. */
const OF_PODS = ['hpa_min_replicas_high', 'spot_candidate']

/** Whether it is large enough to be said. What nobody hears of takes nothing from the others. */
type IsSaid<Each> = (finding: Each) => boolean

/**
 * What several rules could save on one thing cannot be saved several times. Each finding counts what is left for it once those
 * before it were followed, so that the sum over any of them is never too high.
 */
export function layerSavings<Each extends Told>(
  findings: readonly Each[],
  facts: ClusterFacts,
  isSaid: IsSaid<Each>,
): Each[] {
  const usdOf = (finding: Each) => (isSaid(finding) ? Math.max(0, finding.estimatedUsdPerMonth) : 0)
  const byNodes = layerNodes(findings, facts, isSaid)
  const byTarget = layerTargets(byNodes, usdOf)
  const byPods = OF_PODS.reduce((layered, ruleId) => layerPods(layered, ruleId, facts, usdOf), byTarget)
  return layerSchedules(byPods, usdOf)
}

type UsdOf<Each> = (finding: Each) => number

/**
 * A node that goes once something is lifted, or with other open advice, needs no other machine in its place, and nothing is
 * stranded on it: it is no part of what those rules are about.
 */
function layerNodes<Each extends Told>(
  findings: readonly Each[],
  { nodes }: ClusterFacts,
  isSaid: IsSaid<Each>,
): Each[] {
  const lifted = findings.filter((each) => each.ruleId === 'consolidation_blocked' && isSaid(each))
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

function layerTargets<Each extends Told>(findings: readonly Each[], usdOf: UsdOf<Each>): Each[] {
  const counted = new Map<string, Each>()
  const keyOf = ({ ruleId, target }: Told) => `${ruleId} ${targetKey(target)}`
  const ordered = [...findings].sort((a, b) => rankOf(a) - rankOf(b))
  for (const finding of ordered) {
    const way = SAME_TARGET[finding.ruleId]
    const before = way?.after.flatMap((ruleId) => counted.get(keyOf({ ...finding, ruleId })) ?? []) ?? []
    counted.set(keyOf(finding), way ? less(finding, leftBy(way.how, finding, before, usdOf)) : finding)
  }
  return findings.map((finding) => counted.get(keyOf(finding)) ?? finding)
}

/** Each of the others leaves a part of what it is about itself, which may be more than what this one is about. */
function leftBy<Each extends Told>(
  how: Way['how'],
  finding: Each,
  before: readonly Each[],
  usdOf: UsdOf<Each>,
): number {
  if (how === 'rest') return leftOf(sum(before.map(usdOf)), finding.estimatedUsdPerMonth)
  return before.reduce((left, each) => left * leftOf(usdOf(each), each.costUsdPerMonth ?? 0), 1)
}

const RANKS = Object.keys(SAME_TARGET)
const rankOf = ({ ruleId }: Told) => RANKS.indexOf(ruleId)

/** Fewer pods, or pods on machines that may be taken away, save on what the pods ask for in the end. */
function layerPods<Each extends Told>(
  findings: readonly Each[],
  ruleId: string,
  { workloads }: ClusterFacts,
  usdOf: UsdOf<Each>,
): Each[] {
  if (!findings.some((each) => each.ruleId === ruleId)) return [...findings]
  const later = OF_PODS.slice(OF_PODS.indexOf(ruleId))
  const saved = sumBy(findings, usdOf, (each) => (later.includes(each.ruleId) || !each.workload ? null : pathOf(each)))
  const costs = new Map(workloads.map((each) => [workloadPath(each.namespace, each.kind, each.name), requestUsd(each)]))
  return findings.map((each) => {
    const path = pathOf(each)
    if (each.ruleId !== ruleId) return each
    return less(each, leftOf(saved.get(path) ?? 0, costs.get(path) ?? each.costUsdPerMonth ?? 0))
  })
}

const pathOf = ({ target, workload }: Told) =>
  workloadPath(target.namespace, workload?.kind ?? '', workload?.name ?? '')

/** What is off at night is off with the requests, the pods and the machines that it has by then. */
function layerSchedules<Each extends Told>(findings: readonly Each[], usdOf: UsdOf<Each>): Each[] {
  const saved = sumBy(findings, usdOf, (each) => (each.workload ? each.target.namespace : null))
  return findings.map((each) =>
    each.ruleId === 'nonprod_offhours_schedule'
      ? less(each, leftOf(saved.get(each.target.namespace) ?? 0, each.costUsdPerMonth ?? 0))
      : each,
  )
}

/** Which part of some money is left, 0 to 1. */
const leftOf = (usd: number, ofUsd: number) => (usd <= 0 ? 1 : ofUsd > 0 ? Math.max(0, 1 - usd / ofUsd) : 0)

function less<Each extends Told>(finding: Each, left: number): Each {
  const { estimatedUsdPerMonth: own, bankableUsdPerMonth: bankable } = finding
  if (left === 1 || own <= 0) return finding
  return {
    ...finding,
    estimatedUsdPerMonth: own * left,
    bankableUsdPerMonth: bankable === null ? null : bankable * left,
    checks: withAlone(finding.checks, own),
  }
}

export const COUNTED_THERE = 'What other advice about the same thing saves is counted there'

/** What it would save if nothing else were done, said once. */
const withAlone = (checks: readonly Check[], usd: number): readonly Check[] =>
  checks.some(({ check }) => check === COUNTED_THERE)
    ? checks
    : [...checks, passed(COUNTED_THERE, `alone it would save ${showUsd(usd)} a month`)]

function sumBy<Each extends Told>(
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
