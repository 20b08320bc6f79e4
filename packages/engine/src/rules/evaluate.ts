import { FACTS, type ClusterFacts, type FactName, type WorkloadPrice } from './facts/cluster-facts.ts'
import type { Finding, Target, Verdict, Withheld } from './finding.ts'
import { targetKey } from './finding.ts'
import { howToKnow } from './facts/fact-sources.ts'
import { withholdOfDeletable } from './savings/going-workloads.ts'
import { layerSavings } from './savings/layer-savings.ts'
import { isIgnored } from './facts/annotations.ts'
import { CONTROL_PLANE, showUsd, sidecarTarget } from './object-finding.ts'
import { isJob } from './facts/judgeable.ts'
import { isSystemNamespace, policyOf } from './facts/policy.ts'
import type { Rule, RuledFinding } from './rule.ts'
import { severityOf } from './savings/severity.ts'
import { listSharedSidecars, type SharedSidecar } from './facts/shared-sidecars.ts'
import { whyBankable } from './savings/why-bankable.ts'
import type { Category, Severity } from '../vocabulary/recommendations.ts'

export type RuleFinding = Finding & {
  readonly ruleId: string
  readonly category: Category
  readonly severity: Severity
  /** Why bankable and estimated savings differ. */
  readonly bankableBecause: string
}
export type RuleWithheld = Withheld & { readonly ruleId: string }

export type Analysis = { readonly findings: readonly RuleFinding[]; readonly withheld: readonly RuleWithheld[] }

/** Verdicts of the rules after the guards that apply to every rule, before findings are compared with each other. */
export type Verdicts = { readonly findings: readonly RuledFinding[]; readonly withheld: readonly RuleWithheld[] }

/** Runs every rule, with the guards that apply to every rule. */
export function runRules(rules: readonly Rule[], facts: ClusterFacts): Verdicts {
  const findings: RuledFinding[] = []
  const withheld: RuleWithheld[] = []
  const ignored = ignoredWorkloads(facts)
  for (const rule of rules) {
    for (const verdict of verdicts(rule, facts)) {
      const judged = verdict.kind === 'finding' ? guard(facts, ignored, verdict) : verdict
      if (judged.kind === 'withheld') withheld.push({ ...judged, ruleId: rule.id })
      else findings.push({ ...judged, rule })
    }
  }
  return { findings, withheld }
}

/** In this order: withholds findings about deletable workloads, counts money once, withholds small savings, sets the severity. */
export function weighFindings(verdicts: Verdicts, facts: ClusterFacts): Analysis {
  const findings: RuleFinding[] = []
  const smallOf = (each: RuledFinding) => (each.rule.isAboutMoney ? tooSmall(facts, each) : null)
  const isShown = (each: RuledFinding) => smallOf(each) === null
  const { kept, withheld: ofDeletable } = withholdOfDeletable(verdicts.findings, isShown)
  const withheld = [...verdicts.withheld, ...ofDeletable]
  for (const each of layerSavings(kept, facts, isShown)) {
    const small = smallOf(each)
    if (small) withheld.push({ ...small, ruleId: each.rule.id })
    else findings.push(weigh(facts, each))
  }
  return { findings, withheld: withheld.filter((each) => isWorthSaying(facts, each)) }
}

function verdicts(rule: Rule, facts: ClusterFacts): Verdict[] {
  const missing = rule.needs.filter((fact) => !facts.known.has(fact))
  if (missing.length === 0) return rule.judge(facts)
  const named = missing.map((fact) => FACTS[fact]).join('; ')
  return [
    {
      kind: 'withheld',
      target: null,
      reason: 'no_source',
      detail: `Unknown for this cluster: ${named}.`,
      unlock: howToKnow(missing, facts.usageSource),
    },
  ]
}

function guard(facts: ClusterFacts, ignored: ReadonlySet<string>, finding: Finding): Verdict {
  const { target } = finding
  const policy = policyFor(facts, finding)
  if (policy.isExcluded)
    return withhold(
      target,
      'excluded',
      'The policy excludes this namespace.',
      'Remove the exclusion from the policy of the namespace.',
    )
  if (isSystemNamespace(namespaceFor(finding)) && !policy.includeSystemNamespaces)
    return withhold(
      target,
      'system_namespace',
      'System namespaces are excluded.',
      'Include system namespaces in the policy of the cluster.',
    )
  if (ignored.has(targetKey({ ...target, container: '' })))
    return withhold(target, 'ignored', 'The annotation plimsoll.dev/ignore is set.', 'Remove the annotation.')
  return { ...finding, ...cappedSavings(finding) }
}

function tooSmall(facts: ClusterFacts, finding: Finding): Withheld | null {
  const { savingUsdPerMonthMin: least } = policyFor(facts, finding)
  const { estimatedUsdPerMonth: usd, target } = finding
  if (usd >= least) return null
  const detail = `After other recommendations, the remaining savings of ${showUsd(usd)}/month are below the minimum of ${showUsd(least)}/month.`
  return withhold(
    target,
    'saving_too_small',
    detail,
    'Lower "Minimum savings per recommendation" in Settings → Policies.',
  )
}

const namespaceFor = ({ policyNamespace, target }: Finding) => policyNamespace ?? target.namespace

const policyFor = (facts: ClusterFacts, finding: Finding) => policyOf(facts.policies, namespaceFor(finding))

const withhold = (target: Target, reason: Withheld['reason'], detail: string, unlock: string): Withheld => ({
  kind: 'withheld',
  target,
  reason,
  detail,
  unlock,
})

/** Savings never exceed the cost of the object. */
function cappedSavings({ estimatedUsdPerMonth, bankableUsdPerMonth, costUsdPerMonth }: Finding) {
  const cap = (usd: number) => finite(costUsdPerMonth === null ? usd : Math.min(usd, costUsdPerMonth))
  return {
    estimatedUsdPerMonth: cap(estimatedUsdPerMonth),
    bankableUsdPerMonth: bankableUsdPerMonth === null ? null : cap(bankableUsdPerMonth),
  }
}

const finite = (usd: number) => (Number.isFinite(usd) ? usd : 0)

const weigh = ({ costUsdPerMonth }: ClusterFacts, { rule, ...finding }: RuledFinding): RuleFinding => ({
  ...finding,
  ruleId: rule.id,
  category: rule.category,
  severity: severityOf({
    savingUsdPerMonth: finding.bankableUsdPerMonth ?? finding.estimatedUsdPerMonth,
    clusterUsdPerMonth: costUsdPerMonth,
    isUrgent: finding.isUrgent,
  }),
  bankableBecause: whyBankable(finding, 'not-simulated'),
})

function ignoredWorkloads({ workloads, cronJobs }: ClusterFacts): Set<string> {
  const ignored = [...workloads, ...cronJobs.map((each) => ({ ...each, kind: 'CronJob' }))].filter(isIgnored)
  return new Set(ignored.map(({ kind, namespace, name }) => targetKey({ kind, namespace, name, container: '' })))
}

/** Findings that are withheld anyway need no second reason. */
function isWorthSaying({ policies }: ClusterFacts, { target, reason }: Withheld): boolean {
  if (target === null || reason === 'excluded' || reason === 'system_namespace' || reason === 'ignored') return true
  const policy = policyOf(policies, target.namespace)
  return !policy.isExcluded && (policy.includeSystemNamespaces || !isSystemNamespace(target.namespace))
}

/** Whether the target of an earlier finding still exists, as far as these facts show. */
export type Observation =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'gone' }
  | {
      readonly kind: 'seen'
      readonly cpuMillicores: number | null
      readonly memoryKib: number | null
      /** Running pods; for a namespace all its pods; 1 for objects without pods. */
      readonly replicas: number
      /** Mean number of pods of a job, which runs for a part of the time. Absent for other workloads and without usage data. */
      readonly meanReplicas?: number
      /** Null: no price, or not known. */
      readonly price: WorkloadPrice | null
    }

type Seen = Extract<Observation, { kind: 'seen' }>

export function observer(facts: ClusterFacts): (target: Target) => Observation {
  const seen = new Map<string, Observation>()
  const see = (target: Target, more: Partial<Seen> = {}) => seen.set(targetKey(target), { ...present, ...more })
  const running = new Map<string, number>()
  for (const { kind, namespace, name, containers, replicas, price } of facts.workloads) {
    see({ kind, namespace, name, container: '' }, { replicas, price })
    running.set(namespace, (running.get(namespace) ?? 0) + replicas)
    for (const {
      name: container,
      cpuRequestMillicores: cpuMillicores,
      memoryRequestKib: memoryKib,
      usage,
    } of containers) {
      const mean = isJob({ kind }) && usage ? { meanReplicas: usage.replicasMean } : {}
      see({ kind, namespace, name, container }, { cpuMillicores, memoryKib, replicas, price, ...mean })
    }
  }
  for (const group of new Set(listSharedSidecars(facts).values())) seeSidecar(group, see)
  for (const { name } of facts.volumes) see({ ...cluster, kind: 'PersistentVolume', name })
  for (const { name, namespace } of facts.balancers) see({ ...cluster, kind: 'Service', namespace, name })
  for (const { name, pool } of facts.nodes) {
    see({ ...cluster, kind: 'Node', name })
    // From the nodes: the facts of pools are empty while the placement constraints of pods are unknown.
    see({ ...cluster, kind: 'NodePool', name: pool })
  }
  for (const { name, namespace } of facts.cronJobs) see({ ...cluster, kind: 'CronJob', namespace, name })
  for (const name of new Set([...running.keys(), ...facts.namespaces.map((each) => each.name)])) {
    see({ ...cluster, kind: 'Namespace', namespace: name, name }, { replicas: running.get(name) ?? 0 })
  }
  for (const { name, quotas } of facts.namespaces) {
    for (const quota of quotas) see({ ...cluster, kind: 'ResourceQuota', namespace: name, name: quota.name })
  }
  if (facts.controlPlane) see(CONTROL_PLANE)
  return (target) => seen.get(targetKey(target)) ?? (canSee(facts, target) ? { kind: 'gone' } : { kind: 'unknown' })
}

/** As in the first workload: if they differ, a rollout of the template is in progress. */
function seeSidecar(group: readonly SharedSidecar[], see: (target: Target, more: Partial<Seen>) => void): void {
  const [first] = group
  if (!first) return
  const { name, cpuRequestMillicores: cpuMillicores, memoryRequestKib: memoryKib } = first.container
  const replicas = group.reduce((sum, { workload }) => sum + workload.replicas, 0)
  see(sidecarTarget(name), { cpuMillicores, memoryKib, replicas, price: first.workload.price })
}

const present: Seen = { kind: 'seen', cpuMillicores: null, memoryKib: null, replicas: 1, price: null }

const cluster = { namespace: '', container: '' }

const SOURCES: Readonly<Record<string, FactName>> = {
  PersistentVolume: 'volumes',
  Service: 'balancers',
  Node: 'nodes',
  NodePool: 'nodes',
  CronJob: 'controllers',
  ResourceQuota: 'quotas',
  ControlPlane: 'kubernetes_version',
}

function canSee({ known }: ClusterFacts, { kind }: Target): boolean {
  return known.has(SOURCES[kind] ?? 'pods')
}
