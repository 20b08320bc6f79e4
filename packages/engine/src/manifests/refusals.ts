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

/** All fields but the resources of containers. */
export const unknownToCharts =
  'Each chart has its own name for it: set it in your values by hand, or use a kustomization.'

/** A merge replaces the metrics of an autoscaler as a whole: only a JSON patch changes one of them. */
export const refuseOtherTarget = ({ name, percent }: Pair): Refusal =>
  refuse(
    'hpa_cpu_utilization',
    `The target of ${name} has to become ${percent} % in the same change, which this format cannot express. Use a kustomization.`,
    'kustomize',
  )
