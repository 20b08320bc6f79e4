import type { LiveWorkload } from './live-workload.ts'
import { isBuiltIn, type FieldPatch, type ResourceChange } from './object-patch.ts'
import type { Pairing } from './pair-autoscaler.ts'
import { refuse, type ManifestFormat, type Refusal } from './skips.ts'

/** What a format cannot say about the quantities of a container. */
export function refuseChanges(
  format: ManifestFormat,
  live: LiveWorkload,
  changes: readonly ResourceChange[],
): Refusal | undefined {
  const isCustom = !isBuiltIn(live)
  if (format === 'strategic-merge' && isCustom) {
    return refuse('custom_resource', 'Use a JSON patch, alone or in a kustomization.', 'json-patch')
  }
  if (live.kind === 'Pod' && (format === 'kustomize' || format === 'helm')) {
    return refuse('pod_resize_refused', `${bareApply[format]} refuses the change. ${usePatch}`, 'json-patch')
  }
  if (format !== 'yaml') return undefined
  if (isCustom) return refuse('atomic_list', 'Its containers would be replaced. Use a JSON patch.', 'json-patch')
  if (live.kind === 'Pod') return refuse('pod_resize_refused', usePatch, 'json-patch')
  return changes.some(({ to }) => to === null)
    ? refuse('format_cannot_remove', 'Another manager owns it. Use a strategic merge.', 'strategic-merge')
    : undefined
}

/** Only the resize subresource changes a running pod. */
const usePatch = 'Use a JSON patch, which resizes the pod in place.'

const bareApply = { kustomize: 'kubectl apply -k', helm: 'helm upgrade' }

/** Of all but the resources of containers. */
export const unknownToCharts =
  'Each chart has its own name for it: set it in your values by hand, or use a kustomization.'

export function refuseFields(format: ManifestFormat, fields: readonly FieldPatch[]): Refusal | undefined {
  if (format === 'helm') return refuse('helm_path_unknown', unknownToCharts, 'kustomize')
  const unknown = fields.find(({ isParentThere }) => isParentThere === 'unknown')
  if (format !== 'json-patch' || !unknown) return undefined
  const parent = unknown.path.slice(0, -1).join('.')
  return refuse(
    'not_expressible',
    `It is not known whether ${parent} is there. Use a strategic merge, which makes it where it is not.`,
    'strategic-merge',
  )
}

/** The metrics of an autoscaler are one list to every merge: only a JSON patch changes one of them. */
export function refusePairing(format: ManifestFormat, pairing: Pairing): Refusal | undefined {
  if (pairing.kind === 'refused') return pairing.refusal
  if (pairing.kind !== 'pair' || (format !== 'yaml' && format !== 'helm')) return undefined
  const advice = `The target of ${pairing.name} has to become ${pairing.percent} % in the same change, which this format cannot say. Use a kustomization.`
  return refuse('hpa_cpu_utilization', advice, 'kustomize')
}
