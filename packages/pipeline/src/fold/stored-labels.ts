import type { Labels } from '@plimsoll/contract'

/** Not stored: most of these labels differ from rollout to rollout, run to run or pod to pod, and each would be a new label set. */
const passing = new Set([
  'pod-template-hash',
  'rollouts-pod-template-hash',
  'controller-revision-hash',
  'pod-template-generation',
  'controller-uid',
  'job-name',
  'batch.kubernetes.io/controller-uid',
  'batch.kubernetes.io/job-name',
  'batch.kubernetes.io/job-completion-index',
  'statefulset.kubernetes.io/pod-name',
  'apps.kubernetes.io/pod-index',
  'workflows.argoproj.io/workflow',
  'workflows.argoproj.io/pod-name',
  'spark-app-selector',
  'spark-exec-id',
  'tekton.dev/pipelineRun',
  'tekton.dev/taskRun',
  'tekton.dev/pipelineRunUID',
  'tekton.dev/taskRunUID',
  // Since Kubernetes 1.35 every pod has the topology labels of its node: a workload would have one label set per zone.
  'topology.kubernetes.io/region',
  'topology.kubernetes.io/zone',
  // Every namespace has this label, which repeats its name.
  'kubernetes.io/metadata.name',
])

/** Kubernetes allows no longer keys. */
const keyLengthMax = 317
const valueLengthMax = 63

/** Far more labels than cost reports group by. */
const labelsMax = 64

/** The stored labels of a pod. Labels of the pod override those of its namespace. */
export function storedLabels(own: Labels, ofNamespace: Labels): Labels {
  const kept = Object.entries({ ...ofNamespace, ...own })
    .filter(([key, value]) => !passing.has(key) && key.length <= keyLengthMax && value.length <= valueLengthMax)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(kept.slice(0, labelsMax))
}
