import type { ObjectKind, ObjectVersion } from '@plimsoll/contract'
import { workloadPath, type LiveWorkload, type Sizes } from '@plimsoll/engine'
import type { FoldState } from '../fold/fold-state.ts'

type Of<Kind extends ObjectKind> = Extract<ObjectVersion, { kind: Kind }>

/** What the agent tells about a workload and its namespace beside its pods. */
type Told = Pick<LiveWorkload, 'autoscaler' | 'limitRange' | 'quota' | 'annotations'> & {
  /** Undefined: only those of its pods are known. */
  labels: LiveWorkload['labels'] | undefined
}

export type ToldOf = (workload: Pick<LiveWorkload, 'namespace' | 'kind' | 'name'>) => Told

/** What an agent does not look at is unknown, which is not the same as none. */
export function toldObjects({ objects, agent, watermark }: Pick<FoldState, 'objects' | 'agent' | 'watermark'>): ToldOf {
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
  const ranges = byNamespace(living('limit_range'), limitRangeOf)
  const quotas = byNamespace(living('quota'), quotaLeftOf)
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

function byNamespace<Item extends { namespace: string }, Result>(
  items: readonly Item[],
  resultOf: (own: readonly Item[]) => Result,
): Map<string, Result> {
  const groups = new Map<string, Item[]>()
  for (const item of items) groups.set(item.namespace, [...(groups.get(item.namespace) ?? []), item])
  return new Map([...groups].map(([namespace, own]) => [namespace, resultOf(own)]))
}

/** All of them hold: the highest floor and the lowest ceiling. */
const limitRangeOf = (ranges: readonly Of<'limit_range'>[]) => ({
  min: sizes((of) => most(ranges.map(({ spec }) => spec.min?.[of]))),
  max: sizes((of) => least(ranges.map(({ spec }) => spec.max?.[of]))),
})

/** What the fullest of them leaves. */
function quotaLeftOf(quotas: readonly Of<'quota'>[]) {
  const left = (section: 'request' | 'limit') =>
    sizes((of) =>
      least(
        quotas.map(({ spec: { hard, used } }) => {
          const most = hard[`${of}_${section}`]
          return most === undefined ? undefined : Math.max(0, most - (used[`${of}_${section}`] ?? 0))
        }),
      ),
    )
  return { requests: left('request'), limits: left('limit') }
}

const sizes = (of: (resource: 'cpu' | 'memory') => number | null): Sizes => ({
  cpuMillicores: of('cpu'),
  memoryKib: of('memory'),
})

const known = (values: readonly (number | undefined)[]) => values.filter((each) => each !== undefined)
const most = (values: readonly (number | undefined)[]) =>
  known(values).length === 0 ? null : Math.max(...known(values))
const least = (values: readonly (number | undefined)[]) =>
  known(values).length === 0 ? null : Math.min(...known(values))
