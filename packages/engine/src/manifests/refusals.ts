import type { LiveWorkload } from './live-workload.ts'
import type { Pair } from './pair-autoscaler.ts'
import { refuse, type Refusal } from './skips.ts'

/** Only the resize subresource changes a running pod. */
export const usePatch = 'Use a JSON patch, which resizes the pod in place.'

export const refusePod =
  (command: string) =>
  ({ kind }: LiveWorkload): Refusal | undefined =>
    kind === 'Pod'
      ? refuse('pod_resize_refused', `${command} refuses the change. ${usePatch}`, 'json-patch')
      : undefined

/** All fields except container resources. */
export const unknownToCharts =
  'Charts name this field differently. Set it in your values by hand, or use the format kustomize.'

/** A merge replaces all metrics of an autoscaler: only a JSON patch changes one metric. */
export const refuseOtherTarget = ({ name, percent }: Pair): Refusal =>
  refuse(
    'hpa_cpu_utilization',
    `The target of ${name} must become ${percent} % in the same change, and this format cannot express that. Use the format kustomize.`,
    'kustomize',
  )
