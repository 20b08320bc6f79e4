import { passed } from './checks.ts'
import type { ClusterFacts } from './cluster-facts.ts'
import { targetKey, type Check, type Finding } from './finding.ts'
import { workloadPath } from './list-proposals.ts'
import { dollars } from './object-rule.ts'
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
type IsSaid = (finding: Told) => boolean

/**
 * What several rules could save on one thing cannot be saved several times. Each finding counts what is left for it once those
 * before it were followed, so that the sum over any of them is never too high.
 */
export function layerSavings<Each extends Told>(
  findings: readonly Each[],
  facts: ClusterFacts,
  isSaid: IsSaid,
): Each[] {
  const usdOf = (finding: Told) => (isSaid(finding) ? Math.max(0, finding.estimatedUsdPerMonth) : 0)
  const byTarget = layerTargets(findings, usdOf)
  const byPods = OF_PODS.reduce((layered, ruleId) => layerPods(layered, ruleId, facts, usdOf), byTarget)
  return layerSchedules(byPods, usdOf)
}

type UsdOf = (finding: Told) => number

function layerTargets<Each extends Told>(findings: readonly Each[], usdOf: UsdOf): Each[] {
  const saved = new Map<string, number>()
  const keyOf = ({ ruleId, target }: Told) => `${ruleId} ${targetKey(target)}`
  const ordered = [...findings].sort((a, b) => rankOf(a) - rankOf(b))
  const layered = new Map<string, Each>()
  for (const finding of ordered) {
    const way = SAME_TARGET[finding.ruleId]
    const before = way?.after.map((ruleId) => saved.get(keyOf({ ...finding, ruleId })) ?? 0) ?? []
    const own = way ? less(finding, sum(before), way.how) : finding
    saved.set(keyOf(own), usdOf(own))
    layered.set(keyOf(own), own)
  }
  return findings.map((finding) => layered.get(keyOf(finding)) ?? finding)
}

const RANKS = Object.keys(SAME_TARGET)
const rankOf = ({ ruleId }: Told) => RANKS.indexOf(ruleId)

/** Fewer pods, or pods on machines that may be taken away, save on what the pods ask for in the end. */
function layerPods<Each extends Told>(
  findings: readonly Each[],
  ruleId: string,
  { workloads }: ClusterFacts,
  usdOf: UsdOf,
): Each[] {
  if (!findings.some((each) => each.ruleId === ruleId)) return [...findings]
  const later = OF_PODS.slice(OF_PODS.indexOf(ruleId))
  const saved = sumBy(findings, usdOf, (each) => (later.includes(each.ruleId) || !each.workload ? null : pathOf(each)))
  const costs = new Map(workloads.map((each) => [workloadPath(each.namespace, each.kind, each.name), requestUsd(each)]))
  return findings.map((each) => {
    const path = pathOf(each)
    return each.ruleId === ruleId ? less(each, saved.get(path) ?? 0, 'share', costs.get(path)) : each
  })
}

const pathOf = ({ target, workload }: Told) =>
  workloadPath(target.namespace, workload?.kind ?? '', workload?.name ?? '')

/** What is off at night is off with the requests, the pods and the machines that it has by then. */
function layerSchedules<Each extends Told>(findings: readonly Each[], usdOf: UsdOf): Each[] {
  const saved = sumBy(findings, usdOf, (each) => (each.workload ? each.target.namespace : null))
  return findings.map((each) =>
    each.ruleId === 'nonprod_offhours_schedule' ? less(each, saved.get(each.target.namespace) ?? 0, 'share') : each,
  )
}

function less<Each extends Told>(finding: Each, usd: number, how: Way['how'], ofUsd?: number): Each {
  const { estimatedUsdPerMonth: own, bankableUsdPerMonth: bankable } = finding
  if (usd <= 0 || own <= 0) return finding
  const cost = ofUsd ?? finding.costUsdPerMonth ?? 0
  const left = how === 'rest' ? Math.max(0, 1 - usd / own) : cost > 0 ? Math.max(0, 1 - usd / cost) : 0
  return {
    ...finding,
    estimatedUsdPerMonth: own * left,
    bankableUsdPerMonth: bankable === null ? null : bankable * left,
    checks: withAlone(finding.checks, own),
  }
}

const COUNTED_THERE = 'What other advice about the same thing saves is counted there'

/** What it would save if nothing else were done, said once. */
const withAlone = (checks: readonly Check[], usd: number): readonly Check[] =>
  checks.some(({ check }) => check === COUNTED_THERE)
    ? checks
    : [...checks, passed(COUNTED_THERE, `alone it would save $${dollars(usd)} a month`)]

/**
 * A node that goes once something is lifted needs no other machine in its place. What keeps it is known only when all other advice
 * has been heard, so this is asked last.
 */
export function layerBlocked<Each extends Told>(
  findings: readonly Each[],
  blocked: readonly Told[],
  { nodes }: ClusterFacts,
): Each[] {
  const poolOf = new Map(nodes.map(({ name, pool }) => [name, pool]))
  const going = sumBy(
    blocked,
    ({ estimatedUsdPerMonth: usd }) => usd,
    ({ target }) => poolOf.get(target.name) ?? null,
  )
  return findings.map((each) =>
    OF_MACHINES.includes(each.ruleId) ? less(each, going.get(each.target.name) ?? 0, 'share') : each,
  )
}

/** Those that save on each of the machines of a pool. */
const OF_MACHINES = ['node_instance_type_mismatch', 'old_generation_instance']

function sumBy(findings: readonly Told[], usdOf: UsdOf, keyOf: (finding: Told) => string | null): Map<string, number> {
  const sums = new Map<string, number>()
  for (const finding of findings) {
    const key = keyOf(finding)
    if (key !== null) sums.set(key, (sums.get(key) ?? 0) + usdOf(finding))
  }
  return sums
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
