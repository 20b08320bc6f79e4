import type { ObjectSpec, ObjectVersion } from '@plimsoll/contract'
import type { Scenario } from '../scenario/scenario.ts'
import { uidOf } from './names.ts'
import { selectorOf } from './selector.ts'
import type { NamedObject, State, Workload } from './state.ts'
import { KIB_PER_MIB } from './versions.ts'

/** Separate from the refs of nodes and pods, so that these do not depend on other objects. */
const FIRST_NUMBER = 1_000_000_000

/** Sends controllers, autoscalers, PodDisruptionBudgets, quotas and pools: all at first, then the changed ones. */
export function recordObjects(state: State, from: number): void {
  if (state.workloads.every((workload) => isDescribed(state, workload))) return
  describe(state).forEach((object, index) => {
    const ref = FIRST_NUMBER + index
    const before = state.objects.get(ref)
    if (before && isSame(before.spec, object.spec)) return
    const version: ObjectVersion = { ref, uid: uidOf(state.scenario.seed, ref), from, ...object }
    state.objects.set(ref, version)
    if (before) state.facts.objects.push(version)
  })
}

/** Whether the newest description of the workload is current. Only these fields ever change. */
function isDescribed({ described }: State, workload: Workload): boolean {
  const last = described.get(workload)
  return (
    last?.desired === workload.desired &&
    last.lastRunAt === workload.lastRunAt &&
    last.lastSuccessAt === workload.lastSuccessAt
  )
}

/** Describes a workload again only after a change, because this runs for every minute of a history. */
function objectsOf(state: State, workload: Workload): readonly NamedObject[] {
  const last = state.described.get(workload)
  if (last && isDescribed(state, workload)) return last.objects
  const { desired, lastRunAt, lastSuccessAt } = workload
  const objects = describeWorkload(workload)
  state.described.set(workload, { desired, lastRunAt, lastSuccessAt, objects })
  return objects
}

const isSame = (one: object, other: object) => one === other || JSON.stringify(one) === JSON.stringify(other)

/** Always the same objects in the same order, because no object is added or removed. */
function describe(state: State): NamedObject[] {
  const { scenario, workloads } = state
  return [
    ...scenario.pools.map(({ name, autoscaling }): NamedObject => {
      const { min = 0, max = 0, scaler = 'cluster-autoscaler' } = autoscaling ?? {}
      const spec = autoscaling ? { scaler, nodes_min: min, nodes_max: max } : { scaler: 'none' as const }
      return { namespace: '', name, kind: 'node_pool', spec }
    }),
    ...scenario.namespaces.flatMap((namespace) => describeNamespace(namespace, workloads)),
    ...workloads.flatMap((workload) => objectsOf(state, workload)),
  ]
}

function describeNamespace(
  { name: namespace, quota, limitRange }: Scenario['namespaces'][number],
  workloads: readonly Workload[],
): NamedObject[] {
  const objects: NamedObject[] = []
  if (limitRange) {
    const min = { cpu: limitRange.cpuMillicoresMin, memory: limitRange.memoryMibMin * KIB_PER_MIB }
    objects.push({ namespace, name: 'limits', kind: 'limit_range', spec: { min, default_request: min } })
  }
  if (quota) {
    const own = workloads.filter(({ spec }) => spec.namespace === namespace)
    const hard = { cpu_request: quota.cpuMillicores, memory_request: quota.memoryMib * KIB_PER_MIB }
    const used = {
      cpu_request: sum(own, 'cpuMillicores'),
      memory_request: sum(own, 'memoryMib') * KIB_PER_MIB,
    }
    objects.push({ namespace, name: 'quota', kind: 'quota', spec: { hard, used } })
  }
  return objects
}

function sum(workloads: readonly Workload[], resource: 'cpuMillicores' | 'memoryMib'): number {
  const ofOne = ({ containers }: Workload) =>
    containers.reduce((total, { kind, request }) => total + (kind === 'init' ? 0 : (request?.[resource] ?? 0)), 0)
  return workloads.reduce((total, workload) => total + workload.desired * ofOne(workload), 0)
}

function describeWorkload(workload: Workload): NamedObject[] {
  const { spec, desired } = workload
  const { namespace, name, kind, autoscaler, disruptionBudget, verticalAutoscaler } = spec
  const target = { target_kind: kind, target_name: name }
  const objects: NamedObject[] = [{ namespace, name, kind: 'workload', spec: workloadSpec(workload) }]
  if (autoscaler) {
    const { replicasMin, replicasMax, targetPercent } = autoscaler
    const bounds = { replicas_min: replicasMin, replicas_max: replicasMax, replicas: desired }
    const scaler = {
      scaler: 'hpa' as const,
      ...target,
      ...bounds,
      cpu_target_percent: targetPercent,
      cpu_metric_index: 0,
    }
    objects.push({ namespace, name, kind: 'autoscaler', spec: scaler })
  }
  if (verticalAutoscaler !== undefined) {
    objects.push({ namespace, name, kind: 'vertical_autoscaler', spec: { ...target, mode: verticalAutoscaler } })
  }
  if (disruptionBudget) {
    const disruptions_allowed = Math.max(0, desired - disruptionBudget.minAvailable)
    objects.push({ namespace, name, kind: 'budget', spec: { selector: selectorOf(spec), disruptions_allowed } })
  }
  return objects
}

function workloadSpec({ spec, desired, containers, lastRunAt, lastSuccessAt }: Workload): ObjectSpec<'workload'> {
  const { name: workload, kind, labels, annotations, runs } = spec
  const request_managers = [deployerOf(annotations ?? {})]
  const described = containers.map(({ name, request }) => {
    const owned = request ? { request_managers } : {}
    return [name, { image: `registry.example.com/${name}:1.0`, ...owned }] as const
  })
  return {
    workload_kind: kind,
    ...(kind === 'Deployment' || kind === 'StatefulSet' ? { replicas: desired } : {}),
    labels: { 'app.kubernetes.io/name': workload, ...labels },
    ...(annotations ? { annotations } : {}),
    containers: Object.fromEntries(described),
    ...(runs?.everyMinutes === undefined ? {} : { schedule: scheduleOf(runs.everyMinutes) }),
    ...(lastRunAt === undefined ? {} : { last_run_at: lastRunAt }),
    ...(lastSuccessAt === undefined ? {} : { last_success_at: lastSuccessAt }),
    // A CronJob that always fails has failed since before the agent started.
    ...(runs?.failShare === 1 ? { failures_in_a_row: 50 } : {}),
  }
}

/** The field manager of each deployment tool. */
const deployers: readonly [annotation: string, manager: string][] = [
  ['meta.helm.sh/release-name', 'helm'],
  ['argocd.argoproj.io/tracking-id', 'argocd-controller'],
  ['kustomize.toolkit.fluxcd.io/name', 'kustomize-controller'],
  ['helm.toolkit.fluxcd.io/name', 'helm-controller'],
]

const deployerOf = (annotations: Readonly<Record<string, string>>) =>
  deployers.find(([annotation]) => annotation in annotations)?.[1] ?? 'kubectl-client-side-apply'

/** As a cron schedule, if cron can express it. */
function scheduleOf(everyMinutes: number): string {
  if (everyMinutes < 60) return `*/${everyMinutes} * * * *`
  const hours = Math.round(everyMinutes / 60)
  return hours < 24 ? `0 */${hours} * * *` : '0 0 * * *'
}
