import type { Labels, ObjectKind, ObjectVersion } from '@plimsoll/contract'
import { groupBy } from '@plimsoll/engine'
import { matchesSelector } from '@plimsoll/engine/packing'
import {
  workloadPath,
  type AutoscalerFacts,
  type CronJobFacts,
  type FactName,
  type NamespaceFacts,
  type NamespaceLimits,
  type QuotaFacts,
  type ScalingHistory,
  type WorkloadFacts,
} from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import type { History } from './history.ts'
import { cronPodLabels } from './resting-cron-jobs.ts'
import { requestManagerOf } from './request-managers.ts'
import { boundsByNamespace, quotaLeftByNamespace } from './namespace-bounds.ts'

type Of<Kind extends ObjectKind> = Extract<ObjectVersion, { kind: Kind }>

/** What is known about a workload beside its pods. */
type Surroundings = Pick<WorkloadFacts, 'annotations' | 'autoscaler' | 'disruptionsAllowed' | 'limits'> & {
  labels: WorkloadFacts['labels']
  heaps: ReadonlyMap<string, number>
  images: ReadonlyMap<string, string>
  managedBy: (container: string) => string | null
}

export type SurroundingsOf = (
  namespace: string,
  kind: string,
  name: string,
  podLabels: WorkloadFacts['labels'],
) => Surroundings

/** What cluster objects say about a workload: its autoscaler, its minimum size and its annotations. */
export function surroundings(state: FoldState, { scaling }: History): SurroundingsOf {
  const living = <Kind extends ObjectKind>(kind: Kind) => state.objects.living(kind, state.watermark)
  const controllers = new Map(
    living('workload').map((each) => [workloadPath(each.namespace, each.spec.workload_kind, each.name), each]),
  )
  const scalers = byTarget(living('autoscaler'))
  const verticals = byTarget(living('vertical_autoscaler'))
  const disruptionBudgets = groupBy(living('budget'), ({ namespace }) => namespace)
  const limits = limitsOf(living('limit_range'), living('quota'))
  return (namespace, kind, name, podLabels) => {
    const key = workloadPath(namespace, kind, name)
    const controller = controllers.get(key)
    const scaler = scalers.get(key)
    return {
      labels: controller?.spec.labels ?? {},
      annotations: controller?.spec.annotations ?? {},
      heaps: heapsOf(controller),
      images: imagesOf(controller),
      autoscaler: scaler ? autoscalerOf(scaler, scaling.get(key) ?? null) : null,
      managedBy: requestManagerOf(controller, verticals.get(key)),
      disruptionsAllowed: allowed(disruptionBudgets.get(namespace) ?? [], podLabels),
      limits: limits.get(namespace) ?? null,
    }
  }
}

function byTarget<Scaler extends Of<'autoscaler'> | Of<'vertical_autoscaler'>>(objects: readonly Scaler[]) {
  return new Map(
    objects.map((each) => [workloadPath(each.namespace, each.spec.target_kind, each.spec.target_name), each]),
  )
}

/** Hashed names match no known image. */
const imagesOf = (controller: Of<'workload'> | undefined) =>
  new Map(
    Object.entries(controller?.spec.containers ?? {}).flatMap(([name, { image }]) =>
      image === undefined ? [] : [[name, image]],
    ),
  )

const heapsOf = (controller: Of<'workload'> | undefined) =>
  new Map(
    Object.entries(controller?.spec.containers ?? {}).flatMap(([name, { heap_max: kib }]) =>
      kib === undefined ? [] : [[name, kib]],
    ),
  )

const autoscalerOf = ({ name, spec }: Of<'autoscaler'>, history: ScalingHistory | null): AutoscalerFacts => ({
  kind: spec.scaler,
  name,
  replicasMin: spec.replicas_min,
  replicasMax: spec.replicas_max,
  cpuTargetPercent: spec.cpu_target_percent ?? null,
  hasOtherMetrics: spec.memory_target_percent !== undefined || (spec.other_metrics ?? 0) > 0,
  history,
})

/** The strictest of the budgets that select pods with these labels. */
function allowed(disruptionBudgets: readonly Of<'budget'>[], labels: WorkloadFacts['labels']): number | null {
  const own = disruptionBudgets.filter(({ spec }) => matchesSelector(spec.selector, labels))
  return own.length === 0 ? null : Math.min(...own.map(({ spec }) => spec.disruptions_allowed))
}

function limitsOf(ranges: readonly Of<'limit_range'>[], quotas: readonly Of<'quota'>[]): Map<string, NamespaceLimits> {
  const [bounds, left] = [boundsByNamespace(ranges), quotaLeftByNamespace(quotas)]
  return new Map(
    [...new Set([...bounds.keys(), ...left.keys()])].map((namespace) => [
      namespace,
      {
        cpuMillicoresMin: bounds.get(namespace)?.min.cpuMillicores ?? null,
        memoryKibMin: bounds.get(namespace)?.min.memoryKib ?? null,
        quotaCpuMillicoresLeft: left.get(namespace)?.requests.cpuMillicores ?? null,
        quotaMemoryKibLeft: left.get(namespace)?.requests.memoryKib ?? null,
      },
    ]),
  )
}

export function cronJobsOf(
  state: FoldState,
  { runCosts, restingLabels }: History,
  namespaceLabels: ReadonlyMap<string, Labels>,
): CronJobFacts[] {
  const podLabels = cronPodLabels(state)
  const managers = cronJobManagers(state)
  return state.objects
    .living('workload', state.watermark)
    .filter(({ spec }) => spec.workload_kind === 'CronJob')
    .map(({ namespace, name, spec }) => ({
      namespace,
      name,
      labels: { ...namespaceLabels.get(namespace), ...spec.labels },
      podLabels:
        podLabels.get(workloadPath(namespace, 'CronJob', name)) ?? restingLabels.get(`${namespace}/${name}`) ?? null,
      annotations: spec.annotations ?? {},
      schedule: spec.schedule ?? '',
      isSuspended: spec.suspended ?? false,
      failuresInARow: spec.failures_in_a_row ?? 0,
      lastSuccessAt: spec.last_success_at ?? null,
      usdPerMonth: runCosts.get(`${namespace}/${name}`) ?? null,
      managedBy: managers.get(workloadPath(namespace, 'CronJob', name)) ?? new Map(),
    }))
}

/** The controllers that set the requests of CronJobs, by path and container. */
function cronJobManagers({ objects, watermark }: FoldState): Map<string, ReadonlyMap<string, string>> {
  const verticals = byTarget(objects.living('vertical_autoscaler', watermark))
  const cronJobs = objects.living('workload', watermark).filter(({ spec }) => spec.workload_kind === 'CronJob')
  return new Map(
    cronJobs.map((each) => {
      const path = workloadPath(each.namespace, 'CronJob', each.name)
      const managerOf = requestManagerOf(each, verticals.get(path))
      const found = Object.keys(each.spec.containers ?? {}).map((name) => [name, managerOf(name)] as const)
      return [path, new Map(found.flatMap(([name, manager]) => (manager === null ? [] : [[name, manager]])))]
    }),
  )
}

export function quotasOf({ objects, watermark }: FoldState, { peaks }: History): Map<string, QuotaFacts[]> {
  return groupedQuotas(
    objects.living('quota', watermark).map(({ namespace, name, spec: { hard, used } }) => {
      const peak = peaks.get(namespace)
      return {
        namespace,
        name,
        cpuMillicores: hard.cpu_request ?? null,
        memoryKib: hard.memory_request ?? null,
        usedCpuMillicores: Math.max(used.cpu_request ?? 0, peak?.cpuMillicores ?? 0),
        usedMemoryKib: Math.max(used.memory_request ?? 0, peak?.memoryKib ?? 0),
        days: peak?.days ?? 0,
      }
    }),
  )
}

const groupedQuotas = (
  quotas: readonly (QuotaFacts & { namespace: string })[],
): Map<string, NamespaceFacts['quotas'][number][]> =>
  new Map(
    [...groupBy(quotas, ({ namespace }) => namespace)].map(([namespace, own]) => [
      namespace,
      own.map(({ namespace: _of, ...quota }) => quota),
    ]),
  )

/** The kinds that the agent watches, as facts that rules need. */
export function watchedFacts({ agent, objects, watermark }: FoldState): FactName[] {
  const watches = new Set(agent?.watches ?? [])
  const known: FactName[] = []
  if (watches.has('autoscaler')) known.push('autoscalers')
  if (watches.has('workload')) known.push('controllers')
  if (watches.has('quota')) known.push('quotas')
  // An agent that does not watch budgets does not send placement constraints either.
  if (watches.has('budget')) known.push('placement')
  const hasHeap = ({ spec }: Of<'workload'>) =>
    Object.values(spec.containers ?? {}).some((each) => each.heap_max !== undefined)
  if (objects.living('workload', watermark).some(hasHeap)) known.push('heaps')
  return known
}
