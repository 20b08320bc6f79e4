import type { LiveWorkload } from './live-workload.ts'
import type { FieldPatch } from './object-patch.ts'
import { sizeOf } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'
import { sizesAfter, sumOfPod, type SizesOf, type WorkloadDraft } from './workload-draft.ts'

/** The target of an autoscaler has to change with the request. */
export type Pair = {
  readonly kind: 'pair'
  readonly name: string
  readonly field: FieldPatch
  readonly percent: number
}

export type Pairing =
  | { readonly kind: 'none' }
  /** The agent did not report autoscalers. */
  | { readonly kind: 'unknown' }
  | Pair
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/**
 * An HPA on CPU utilization scales when usage exceeds target × request. When the request changes, the target changes the
 * other way, so that the workload scales at the same usage as before.
 */
export function pairAutoscaler(draft: WorkloadDraft): Pairing {
  const { autoscaler } = draft.live
  if (autoscaler === null) return { kind: 'none' }
  const cpu = cpuSums(draft, autoscaler)
  if (cpu.before === cpu.after) return { kind: 'none' }
  if (autoscaler === 'unknown') return { kind: 'unknown' }
  if (autoscaler.cpuTargetPercent === null || cpu.before === null || cpu.after === null) return { kind: 'none' }
  const { scaler, name, cpuMetricIndex, container } = autoscaler
  if (scaler === 'keda') return refused('Change the threshold of its ScaledObject in the same commit.')
  if (cpuMetricIndex === null || name === '')
    return refused('Change the target of its HorizontalPodAutoscaler in the same commit.')
  // Rounded down, so that the HPA scales slightly earlier, never later.
  const percent = Math.floor((autoscaler.cpuTargetPercent * cpu.before) / cpu.after)
  if (percent < 1)
    return refused(
      'The target would be below 1 %. Raise the request in smaller steps, or let the HPA scale on another metric first.',
    )
  const highest = cpu.limit === null ? Infinity : (100 * cpu.limit) / cpu.after
  if (percent >= highest)
    return refused('With the current CPU limit, the pods cannot reach the target. Raise or remove the CPU limit first.')
  return { kind: 'pair', name, percent, field: targetField(cpuMetricIndex, container, percent) }
}

const refused = (advice: string): Pairing => ({ kind: 'refused', refusal: refuse('hpa_cpu_utilization', advice) })

function cpuSums(draft: WorkloadDraft, autoscaler: NonNullable<LiveWorkload['autoscaler']>) {
  const after: SizesOf = (each) => sizesAfter(draft, each, 'requests')
  const one = autoscaler === 'unknown' ? null : autoscaler.container
  const sum = (sizes: SizesOf) => {
    if (one === null) return sumOfPod(draft.live, 'cpu', sizes)
    const container = draft.live.containers.find(({ name }) => name === one)
    return container ? sizeOf(sizes(container), 'cpu') : null
  }
  return {
    before: sum((each) => each.requests),
    after: sum(after),
    limit: sum((each) => sizesAfter(draft, each, 'limits')),
  }
}

function targetField(index: number, container: string | null, percent: number): FieldPatch {
  const source = container === null ? 'resource' : 'containerResource'
  const metric = ['spec', 'metrics', index, source]
  return {
    path: [...metric, 'target', 'averageUtilization'],
    to: percent,
    guards: [
      { path: [...metric, 'name'], value: 'cpu' },
      ...(container === null ? [] : [{ path: [...metric, 'container'], value: container }]),
    ],
    isParentThere: true,
  }
}
