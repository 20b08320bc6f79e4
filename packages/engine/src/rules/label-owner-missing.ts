import { count } from '../count.ts'
import type { ClusterFacts, WorkloadFacts } from './cluster-facts.ts'
import { groupBy } from '../group-by.ts'
import { passed } from './checks.ts'
import { NO_EVIDENCE, type Verdict } from './finding.ts'
import { policyOf } from './policy.ts'
import { requestUsd } from './request-usd.ts'
import type { Rule } from './rule.ts'

const NAMES_SHOWN_MAX = 20

export const labelOwnerMissing: Rule = {
  id: 'label_owner_missing',
  category: 'governance',
  title: 'Workloads that belong to nobody',
  description:
    'Without a label that names an owner, nobody is asked when a workload costs too much. One recommendation per namespace lists what has none.',
  trigger:
    'A workload has none of the owner labels of the policy (team, owner or app.kubernetes.io/part-of by default).',
  saving: '0: it saves nothing by itself; what the workloads request is shown beside it.',
  guards: ['Only what runs counts.', 'System namespaces are left out unless the policy includes them.'],
  needs: ['pods'],
  isAboutMoney: false,
  judge: (facts) => [...byNamespace(facts)].map(([namespace, workloads]) => judge(facts, namespace, workloads)),
}

function byNamespace({ workloads, policies }: ClusterFacts): Map<string, WorkloadFacts[]> {
  const isOwned = ({ namespace, labels }: WorkloadFacts) =>
    policyOf(policies, namespace).ownerLabels.some((name) => (labels[name] ?? '') !== '')
  return groupBy(
    workloads.filter((workload) => workload.replicas > 0 && !isOwned(workload)),
    ({ namespace }) => namespace,
  )
}

function judge(facts: ClusterFacts, namespace: string, workloads: WorkloadFacts[]): Verdict {
  const { ownerLabels } = policyOf(facts.policies, namespace)
  const names = workloads.map(({ kind, name }) => `${kind}/${name}`).sort()
  const target = { kind: 'Namespace', namespace, name: namespace, container: '' }
  const usd = workloads.reduce((sum, workload) => sum + requestUsd(workload), 0)
  return {
    kind: 'finding',
    target,
    title: `${names.length === 1 ? 'One workload' : `${names.length} workloads`} in ${namespace} name no owner`,
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
    estimatedUsdPerMonth: 0,
    bankableUsdPerMonth: null,
    costUsdPerMonth: null,
    risk: 'low',
    confidence: 'high',
    isUrgent: false,
    basis: names.join(' '),
    checks: [
      passed('Only what runs counts', count(names.length, 'workload')),
      passed(`None of the labels ${ownerLabels.join(', ')} is set`, 'not on them, their pods or their namespace'),
    ],
    evidence: {
      ...NO_EVIDENCE,
      confidenceReasons: ['Labels are read as they are.'],
      caveats: ['An owner may be named elsewhere, in a label that the policy does not list.'],
      facts: { workloads: names.length, names: listed(names), requested_usd_per_month: Number(usd.toFixed(6)) },
    },
  }
}

const listed = (names: readonly string[]) =>
  names.length <= NAMES_SHOWN_MAX
    ? names.join(', ')
    : `${names.slice(0, NAMES_SHOWN_MAX).join(', ')} and ${names.length - NAMES_SHOWN_MAX} more`
