import type { ObjectKind, ObjectVersion } from '@plimsoll/contract'
import type { LiveWorkload } from '@plimsoll/engine/manifests'
import { workloadPath } from '@plimsoll/engine/rules'
import { boundsByNamespace, quotaLeftByNamespace } from './namespace-bounds.ts'
import type { FoldState } from '../fold/fold-state.ts'

type Of<Kind extends ObjectKind> = Extract<ObjectVersion, { kind: Kind }>

/** What the agent reports about a workload and its namespace beside the pods. */
type Reported = Pick<LiveWorkload, 'autoscaler' | 'limitRange' | 'quota' | 'annotations'> & {
  /** Undefined: only the labels of its pods are known. */
  labels: LiveWorkload['labels'] | undefined
}

export type ReportedOf = (workload: Pick<LiveWorkload, 'namespace' | 'kind' | 'name'>) => Reported

/** Objects of a kind that the agent does not watch are unknown, not absent. */
export function reportedObjects({
  objects,
  agent,
  watermark,
}: Pick<FoldState, 'objects' | 'agent' | 'watermark'>): ReportedOf {
  const watches = new Set(agent?.watches ?? [])
  const living = <Kind extends ObjectKind>(kind: Kind) => objects.living(kind, watermark)
  const seen = <Found>(kind: ObjectKind, found: Found | undefined) =>
    watches.has(kind) ? (found ?? null) : ('unknown' as const)
  const workloads = new Map(
    living('workload').map((each) => [workloadPath(each.namespace, each.spec.workload_kind, each.name), each.spec]),
  )
  const scalers = new Map(
    living('autoscaler').map((each) => [
      workloadPath(each.namespace, each.spec.target_kind, each.spec.target_name),
      autoscalerOf(each),
    ]),
  )
  const ranges = boundsByNamespace(living('limit_range'))
  const quotas = quotaLeftByNamespace(living('quota'))
  return ({ namespace, kind, name }) => {
    const path = workloadPath(namespace, kind, name)
    return {
      labels: workloads.get(path)?.labels,
      annotations: workloads.get(path)?.annotations ?? {},
      autoscaler: seen('autoscaler', scalers.get(path)),
      limitRange: seen('limit_range', ranges.get(namespace)),
      quota: seen('quota', quotas.get(namespace)),
    }
  }
}

const autoscalerOf = ({ name, spec }: Of<'autoscaler'>) => ({
  scaler: spec.scaler,
  name,
  replicasMin: spec.replicas_min,
  replicasMax: spec.replicas_max,
  cpuTargetPercent: spec.cpu_target_percent ?? null,
  cpuMetricIndex: spec.cpu_metric_index ?? null,
  container: spec.cpu_container ?? null,
})
