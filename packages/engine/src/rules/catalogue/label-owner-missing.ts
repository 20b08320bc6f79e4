import { count } from '../../count.ts'
import type { ClusterFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { groupBy } from '../../group-by.ts'
import { passed } from '../checks.ts'
import { NO_EVIDENCE, type Target, type Verdict } from '../finding.ts'
import { policyOf, DEFAULT_POLICY } from '../facts/policy.ts'
import { requestUsd } from '../savings/request-usd.ts'
import type { Rule } from '../rule.ts'

const NAMES_SHOWN_MAX = 20

export const labelOwnerMissing: Rule = {
  id: 'label_owner_missing',
  category: 'governance',
  title: 'Add owner labels to workloads',
  shortName: 'No owner',
  description:
    'Without an owner label, the cost of a workload cannot be assigned to a team. One recommendation per namespace lists the workloads.',
  trigger: `A workload has none of the owner labels of the policy (by default ${DEFAULT_POLICY.ownerLabels.join(', ')}).`,
  saving: 'None. The recommendation shows the cost of the requests.',
  guards: [
    'Only running workloads and CronJobs are checked.',
    'A CronJob whose pods were never seen is withheld: the pods may carry the label.',
    'System namespaces are skipped unless the policy includes them.',
  ],
  needs: ['pods'],
  isAboutMoney: false,
  inPlan: { role: 'other', verb: 'Label', noun: ['workload without an owner', 'workloads without an owner'] },
  judge: (facts) => {
    const found = groupBy([...running(facts), ...resting(facts), ...unseen(facts)], ({ namespace }) => namespace)
    return [...found].map(([namespace, all]) => judge(facts, namespace, all))
  },
}

type Unowned = {
  readonly namespace: string
  /** Kind and name. */
  readonly path: string
  readonly usdPerMonth: number
  /** False: an owner may be set on an object that the agent cannot read. */
  readonly isKnown: boolean
}

const isOwned = (facts: ClusterFacts, namespace: string, labels: WorkloadFacts['labels']) =>
  policyOf(facts.policies, namespace).ownerLabels.some((name) => (labels[name] ?? '') !== '')

const pathOf = (kind: string, name: string) => `${kind}/${name}`

function running(facts: ClusterFacts): Unowned[] {
  return facts.workloads
    .filter(({ replicas, namespace, labels }) => replicas > 0 && !isOwned(facts, namespace, labels))
    .map((each) => ({
      namespace: each.namespace,
      path: pathOf(each.kind, each.name),
      usdPerMonth: requestUsd(each),
      isKnown: true,
    }))
}

/** A CronJob between two runs has no pods but is unchanged, so its finding must not come and go with its pods. */
function resting(facts: ClusterFacts): Unowned[] {
  const runs = new Set(
    facts.workloads.flatMap(({ replicas, namespace, kind, name }) =>
      replicas > 0 ? [`${namespace}/${pathOf(kind, name)}`] : [],
    ),
  )
  return facts.cronJobs
    .filter(({ namespace, name, isSuspended }) => !isSuspended && !runs.has(`${namespace}/${pathOf('CronJob', name)}`))
    .filter(({ namespace, labels, podLabels }) => !isOwned(facts, namespace, { ...labels, ...podLabels }))
    .map(({ namespace, name, podLabels }) => ({
      namespace,
      path: pathOf('CronJob', name),
      usdPerMonth: 0,
      isKnown: podLabels !== null,
    }))
}

/** An agent that does not watch controllers sees only the earlier runs of a CronJob. */
function unseen(facts: ClusterFacts): Unowned[] {
  if (facts.known.has('controllers')) return []
  return facts.workloads
    .filter(({ kind, replicas }) => kind === 'CronJob' && replicas === 0)
    .filter(({ namespace, labels }) => !isOwned(facts, namespace, labels))
    .map(({ namespace, name }) => ({ namespace, path: pathOf('CronJob', name), usdPerMonth: 0, isKnown: false }))
}

function judge(facts: ClusterFacts, namespace: string, all: readonly Unowned[]): Verdict {
  const { ownerLabels } = policyOf(facts.policies, namespace)
  const target = { kind: 'Namespace', namespace, name: namespace, container: '' }
  const unowned = all.filter(({ isKnown }) => isKnown)
  if (unowned.length === 0) return notSeen(target, all.map(({ path }) => path).sort())
  const names = unowned.map(({ path }) => path).sort()
  const usd = unowned.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0)
  return {
    kind: 'finding',
    target,
    title:
      names.length === 1
        ? `Add an owner label to one workload in ${namespace}`
        : `Add an owner label to ${names.length} workloads in ${namespace}`,
    podName: '',
    workload: null,
    currentSpec: null,
    recommendedSpec: null,
    change: {
      action: 'set_labels',
      object: target,
      summary: `Set ${ownerLabels.join(' or ')} on ${listed(names)}.`,
      fields: ownerLabels.slice(0, 1).map((name) => ({ path: `metadata.labels.${name}`, from: null, to: null })),
    },
    ...(ownerLabels[0] === undefined
      ? {}
      : {
          action: {
            kind: 'label_workloads' as const,
            label: ownerLabels[0],
            workloads: names.slice(0, NAMES_COMMANDED_MAX),
          },
        }),
    estimatedUsdPerMonth: 0,
    bankableUsdPerMonth: null,
    costUsdPerMonth: null,
    risk: 'low',
    confidence: 'high',
    isUrgent: false,
    basis: names.join(' '),
    checks: [
      passed('Only running workloads and CronJobs are checked', count(names.length, 'workload')),
      passed(`None of the labels ${ownerLabels.join(', ')} is set`, 'not on workload, pods or namespace'),
    ],
    evidence: {
      ...NO_EVIDENCE,
      confidenceReasons: ['The labels come from the Kubernetes API.'],
      caveats: ['Another label may name the owner: add it to the policy.'],
      facts: { workloads: names.length, names: listed(names), requested_usd_per_month: Number(usd.toFixed(6)) },
    },
  }
}

const notSeen = (target: Target, names: readonly string[]): Verdict => ({
  kind: 'withheld',
  target,
  reason: 'too_little_history',
  detail: `No pod of ${listed(names)} is known; the pods may carry an owner label.`,
  unlock: 'Wait for the next run, or label the CronJob itself.',
})

/** More commands than these are a script, not a step. */
const NAMES_COMMANDED_MAX = 50

const listed = (names: readonly string[]) =>
  names.length <= NAMES_SHOWN_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_SHOWN_MAX).join(', ')} and ${names.length - NAMES_SHOWN_MAX} more`
