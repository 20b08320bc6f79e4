import type { ClusterObject, ObjectSpec } from '@plimsoll/contract'
import { kibibytes, millicores, parseQuantity, wholes } from '@plimsoll/engine'
import type { Metadata, Quantities, Selector } from './kube-types.ts'
import { selectorOf } from './scheduling.ts'
import { without } from './without.ts'

/** The content of an object without a cost, without its ref and times. */
export type ObjectFacts = { readonly uid: string; readonly name: string; readonly namespace: string } & ClusterObject

type Named = { metadata?: Metadata }

function named(object: Named, content: ClusterObject | undefined): ObjectFacts | undefined {
  const { uid, name, namespace = '' } = object.metadata ?? {}
  return uid === undefined || name === undefined || content === undefined
    ? undefined
    : { uid, name, namespace, ...content }
}

type TargetMetric = { name?: string; container?: string; target?: { type?: string; averageUtilization?: number } }

type Autoscaler = Named & {
  spec?: {
    scaleTargetRef?: { kind?: string; name?: string }
    minReplicas?: number
    maxReplicas?: number
    metrics?: { type?: string; resource?: TargetMetric; containerResource?: TargetMetric }[]
  }
  status?: { currentReplicas?: number }
}

/** KEDA creates an HPA for each ScaledObject and labels it with this name. */
const kedaLabel = 'scaledobject.keda.sh/name'

export function autoscalerFacts(object: Autoscaler): ObjectFacts | undefined {
  const { scaleTargetRef, minReplicas = 1, maxReplicas = 1, metrics = [] } = object.spec ?? {}
  if (!scaleTargetRef?.kind || !scaleTargetRef.name) return undefined
  const targets = metrics.map(({ resource, containerResource }) => resource ?? containerResource)
  const percentOf = (each: TargetMetric | undefined) =>
    each?.target?.type === 'Utilization' ? each.target.averageUtilization : undefined
  const indexOf = (name: string) => targets.findIndex((each) => each?.name === name && percentOf(each) !== undefined)
  const [cpu, memory] = [indexOf('cpu'), indexOf('memory')]
  const others = metrics.length - Number(cpu !== -1) - Number(memory !== -1)
  return named(object, {
    kind: 'autoscaler',
    spec: {
      scaler: kedaLabel in (object.metadata?.labels ?? {}) ? 'keda' : 'hpa',
      target_kind: scaleTargetRef.kind,
      target_name: scaleTargetRef.name,
      replicas_min: minReplicas,
      replicas_max: maxReplicas,
      ...without({
        replicas: object.status?.currentReplicas,
        cpu_target_percent: percentOf(targets[cpu]),
        cpu_metric_index: cpu === -1 ? undefined : cpu,
        cpu_container: targets[cpu]?.container,
        memory_target_percent: percentOf(targets[memory]),
        other_metrics: others === 0 ? undefined : others,
      }),
    },
  })
}

type VerticalAutoscaler = Named & {
  spec?: { targetRef?: { kind?: string; name?: string }; updatePolicy?: { updateMode?: string } }
}

export function verticalAutoscalerFacts(object: VerticalAutoscaler): ObjectFacts | undefined {
  const { targetRef, updatePolicy } = object.spec ?? {}
  if (!targetRef?.kind || !targetRef.name) return undefined
  const spec = { target_kind: targetRef.kind, target_name: targetRef.name, mode: updatePolicy?.updateMode ?? 'Auto' }
  return named(object, { kind: 'vertical_autoscaler', spec })
}

type DisruptionBudget = Named & { spec?: { selector?: Selector }; status?: { disruptionsAllowed?: number } }

export function disruptionBudgetFacts(object: DisruptionBudget): ObjectFacts | undefined {
  const { selector } = object.spec ?? {}
  // A PodDisruptionBudget without a selector covers no pods.
  if (!selector) return undefined
  const disruptions_allowed = Math.max(0, object.status?.disruptionsAllowed ?? 0)
  return named(object, { kind: 'budget', spec: { selector: selectorOf(selector), disruptions_allowed } })
}

type LimitRange = Named & {
  spec?: {
    limits?: { type?: string; min?: Quantities; max?: Quantities; default?: Quantities; defaultRequest?: Quantities }[]
  }
}

export function limitRangeFacts(object: LimitRange): ObjectFacts | undefined {
  const ofContainers = object.spec?.limits?.find(({ type }) => type === 'Container')
  if (!ofContainers) return undefined
  const amounts = (quantities: Quantities | undefined) =>
    quantities &&
    without({ cpu: parseQuantity(quantities.cpu, millicores), memory: parseQuantity(quantities.memory, kibibytes) })
  const spec = without({
    min: amounts(ofContainers.min),
    max: amounts(ofContainers.max),
    default_request: amounts(ofContainers.defaultRequest),
    default_limit: amounts(ofContainers.default),
  })
  return named(object, { kind: 'limit_range', spec })
}

type Quota = Named & {
  spec?: { scopes?: unknown[]; scopeSelector?: unknown }
  status?: { hard?: Quantities; used?: Quantities }
}

export function quotaFacts(object: Quota): ObjectFacts | undefined {
  const { spec = {}, status = {} } = object
  // The quota covers only some pods, and the agent cannot determine which.
  if ((spec.scopes?.length ?? 0) > 0 || spec.scopeSelector) return undefined
  return named(object, { kind: 'quota', spec: { hard: quotaAmounts(status.hard), used: quotaAmounts(status.used) } })
}

function quotaAmounts(quantities: Quantities = {}): ObjectSpec<'quota'>['hard'] {
  return without({
    cpu_request: parseQuantity(quantities['requests.cpu'] ?? quantities.cpu, millicores),
    memory_request: parseQuantity(quantities['requests.memory'] ?? quantities.memory, kibibytes),
    cpu_limit: parseQuantity(quantities['limits.cpu'], millicores),
    memory_limit: parseQuantity(quantities['limits.memory'], kibibytes),
    pods: parseQuantity(quantities.pods ?? quantities['count/pods'], wholes),
    storage: parseQuantity(quantities['requests.storage'], kibibytes),
  })
}

type NodePool = Named & {
  spec?: {
    disruption?: { consolidationPolicy?: string }
    template?: { spec?: { requirements?: { key?: string; operator?: string; values?: string[] }[] } }
  }
}

/** A NodePool of Karpenter. */
export function nodePoolFacts(object: NodePool): ObjectFacts | undefined {
  const { disruption, template } = object.spec ?? {}
  const types = template?.spec?.requirements?.find(
    ({ key, operator }) => key === 'node.kubernetes.io/instance-type' && operator === 'In',
  )
  return named(object, {
    kind: 'node_pool',
    spec: {
      scaler: 'karpenter',
      ...without({
        instance_types: types?.values?.slice(0, 2000),
        only_empty: disruption?.consolidationPolicy === 'WhenEmpty' ? true : undefined,
      }),
    },
  })
}
