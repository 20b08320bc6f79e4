import type { Labels } from '@plimsoll/contract'
import { seedOf } from '../random.ts'
import { uidOf } from './names.ts'
import type { SimPod } from './state.ts'

/** Shares one value among all pods of a template in a zone. */
const shared = new WeakMap<Labels, Map<string, Labels>>()

/** The labels of the template, and the labels that Kubernetes adds. */
export function podLabels(region: string, pod: SimPod): Labels {
  const common = placedLabels(pod.template.labels, region, pod.node?.zone ?? '')
  const own = controllerLabels(pod)
  return own ? { ...common, ...own } : common
}

/** Since Kubernetes 1.35 a pod has the region and the zone of its node. */
function placedLabels(labels: Labels, region: string, zone: string): Labels {
  if (zone === '') return labels
  const byZone = shared.get(labels) ?? new Map<string, Labels>()
  shared.set(labels, byZone)
  const known = byZone.get(zone)
  if (known) return known
  const placed = { ...labels, 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone }
  byZone.set(zone, placed)
  return placed
}

function controllerLabels({ workload: { spec, seed }, name, ordinal }: SimPod): Labels | undefined {
  switch (spec.kind) {
    case 'StatefulSet':
      return { 'apps.kubernetes.io/pod-index': String(ordinal), 'statefulset.kubernetes.io/pod-name': name }
    case 'Job':
    case 'CronJob': {
      const job = spec.kind === 'Job' ? spec.name : name.slice(0, name.lastIndexOf('-'))
      const controller = uidOf(seed, seedOf(job))
      return {
        'batch.kubernetes.io/controller-uid': controller,
        'batch.kubernetes.io/job-name': job,
        'controller-uid': controller,
        'job-name': job,
      }
    }
    case 'Deployment':
    case 'DaemonSet':
      return undefined
  }
}
