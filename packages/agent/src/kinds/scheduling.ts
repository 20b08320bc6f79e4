import type { LabelSelector, PodScheduling } from '@plimsoll/contract'
import { kibibytes, parseQuantity } from '@plimsoll/engine'
import type { Affinity, Expression, PodObject, PodSpec, Selector, SpreadConstraint } from './kube-types.ts'
import { extendedRequests } from './extended-resources.ts'
import { without } from './without.ts'

type Requirement = NonNullable<LabelSelector['expressions']>[number]
type Labels = Record<string, string>

/** Constraints on placing and moving the pod; undefined: none. */
export function schedulingOf({ metadata, spec = {} }: PodObject): PodScheduling | undefined {
  const { labels = {}, annotations = {} } = metadata ?? {}
  const scheduling = without({
    tolerations: tolerations(spec),
    node_selector: nonEmpty(spec.nodeSelector),
    node_affinity: nodeTerms(spec.affinity),
    pod_affinity: podTerms(spec.affinity?.podAffinity),
    pod_anti_affinity: podTerms(spec.affinity?.podAntiAffinity),
    spread: spread(spec.topologySpreadConstraints ?? [], labels),
    host_ports: hostPorts(spec),
    priority: spec.priority === 0 ? undefined : spec.priority,
    ephemeral_request: ephemeralRequest(spec),
    extended_requests: extendedRequests(spec),
    safe_to_evict: flag(annotations['cluster-autoscaler.kubernetes.io/safe-to-evict']),
    do_not_disrupt: annotations['karpenter.sh/do-not-disrupt'] === 'true' ? true : undefined,
    local_storage: hasLocalStorage(spec) ? true : undefined,
  })
  return Object.keys(scheduling).length === 0 ? undefined : scheduling
}

/** Kubernetes adds these tolerations to every pod. They handle failed nodes and do not affect placement. */
const brokenNode = new Set(['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'])

function tolerations(spec: PodSpec): PodScheduling['tolerations'] {
  const own = (spec.tolerations ?? []).filter(
    ({ key = '', tolerationSeconds }) => !(brokenNode.has(key) && tolerationSeconds !== undefined),
  )
  return list(own.flatMap(toleration))
}

type Toleration = NonNullable<PodScheduling['tolerations']>[number]

/** Drops an unknown toleration. At worst the pod then counts as unable to move. */
function toleration({ key, operator, value, effect }: NonNullable<PodSpec['tolerations']>[number]): Toleration[] {
  const how = operator === 'Exists' || operator === 'Equal' ? operator : undefined
  const what = effects.find((each) => each === effect)
  if ((operator && !how) || (effect && !what)) return []
  return [
    without<{ [Name in keyof Toleration]-?: Toleration[Name] | undefined }>({
      key,
      operator: how,
      value,
      effect: what,
    }),
  ]
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const

function nodeTerms(affinity: Affinity | undefined): PodScheduling['node_affinity'] {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  return list(
    terms?.map(({ matchExpressions, matchFields }) =>
      without({ expressions: requirements(matchExpressions), fields: requirements(matchFields) }),
    ),
  )
}

function podTerms(affinity: Affinity['podAffinity']): PodScheduling['pod_affinity'] {
  return list(
    affinity?.requiredDuringSchedulingIgnoredDuringExecution?.map(
      ({ topologyKey = '', labelSelector, namespaces, namespaceSelector }) =>
        without({
          topology_key: topologyKey,
          selector: labelSelector && selectorOf(labelSelector),
          namespaces: list(namespaces),
          namespace_selector: namespaceSelector && selectorOf(namespaceSelector),
        }),
    ),
  )
}

function spread(constraints: readonly SpreadConstraint[], labels: Labels): PodScheduling['spread'] {
  const hard = constraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
  return list(
    hard.map(({ topologyKey = '', maxSkew = 1, minDomains, labelSelector, matchLabelKeys = [], ...policies }) => {
      const same = matchLabelKeys.flatMap((key): Expression[] => {
        const value = labels[key]
        return value === undefined ? [] : [{ key, operator: 'In', values: [value] }]
      })
      const all = [...(labelSelector?.matchExpressions ?? []), ...same]
      return without({
        topology_key: topologyKey,
        max_skew: Math.max(1, maxSkew),
        min_domains: minDomains,
        selector: labelSelector && selectorOf({ ...labelSelector, matchExpressions: all }),
        node_affinity_policy: policy(policies.nodeAffinityPolicy),
        node_taints_policy: policy(policies.nodeTaintsPolicy),
      })
    }),
  )
}

const policy = (name: string | undefined): 'Honor' | 'Ignore' | undefined =>
  name === 'Honor' || name === 'Ignore' ? name : undefined

export function selectorOf({ matchLabels, matchExpressions }: Selector): LabelSelector {
  return without({ labels: nonEmpty(matchLabels), expressions: requirements(matchExpressions) })
}

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const

function requirements(expressions: readonly Expression[] | undefined): Requirement[] | undefined {
  return list(
    expressions?.flatMap(({ key = '', operator, values }) => {
      const known = operators.find((each) => each === operator)
      return known ? [without({ key, operator: known, values: list(values) })] : []
    }),
  )
}

function hostPorts({ containers = [], initContainers = [] }: PodSpec): PodScheduling['host_ports'] {
  const lasting = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')
  const ports = [...containers, ...lasting].flatMap((each) => each.ports ?? [])
  return list(
    ports.flatMap(({ hostPort, protocol, hostIP }) =>
      hostPort ? [without({ port: hostPort, protocol, ip: hostIP === '' ? undefined : hostIP })] : [],
    ),
  )
}

/** As the scheduler computes it: the sum of the containers, or the largest init container. */
function ephemeralRequest({ containers = [], initContainers = [] }: PodSpec): number | undefined {
  const of = (each: NonNullable<PodSpec['containers']>[number]) =>
    parseQuantity(each.resources?.requests?.['ephemeral-storage'], kibibytes) ?? 0
  const lasting = initContainers.filter(({ restartPolicy }) => restartPolicy === 'Always')
  const together = [...containers, ...lasting].reduce((sum, each) => sum + of(each), 0)
  const most = Math.max(together, ...initContainers.map(of))
  return most === 0 ? undefined : most
}

/** A volume in memory does not block a drain. */
function hasLocalStorage({ volumes = [] }: PodSpec): boolean {
  return volumes.some(({ emptyDir, hostPath }) =>
    emptyDir ? emptyDir.medium !== 'Memory' : hostPath !== undefined && hostPath !== null,
  )
}

const flag = (value: string | undefined) => (value === undefined ? undefined : value === 'true')

const list = <Item>(items: Item[] | undefined): Item[] | undefined =>
  items === undefined || items.length === 0 ? undefined : items

const nonEmpty = (labels: Labels | undefined): Labels | undefined =>
  labels === undefined || Object.keys(labels).length === 0 ? undefined : labels
