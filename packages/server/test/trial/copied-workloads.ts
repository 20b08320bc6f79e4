import type { ContainerShape, LabelSelector, PodScheduling } from '@plimsoll/contract'
import type { Living, Scenario, WorkloadScenario } from '@plimsoll/simulator'
import type { KubernetesObject } from './kubernetes-object.ts'
import { classNameOf } from './copied-storage.ts'

type Pod = Living['pods'][number]

/** Controllers with the pods, PodDisruptionBudgets and autoscalers of the demo; the real scheduler places the pods. */
export const copyWorkloads = (scenario: Scenario, living: Living): KubernetesObject[] =>
  scenario.workloads.flatMap((workload) => copyWorkload(scenario, living, workload))

function copyWorkload(scenario: Scenario, { pods, objects }: Living, workload: WorkloadScenario): KubernetesObject[] {
  const { namespace, name, kind } = workload
  const own = pods.find((pod) => pod.namespace === namespace && pod.workloadName === name && pod.workloadKind === kind)
  const sent = objects.find(
    (object) => object.kind === 'workload' && object.namespace === namespace && object.name === name,
  )
  // A Job of the demo runs once, so there may be no pod to copy.
  if (!own || sent?.kind !== 'workload') return []
  const made = {
    ...controllerOf(workload, podTemplate(scenario, workload, own), sent.spec),
    metadata: { name, namespace, labels: sent.spec.labels ?? {}, annotations: sent.spec.annotations ?? {} },
  }
  return [made, ...copyBudget(workload), ...copyAutoscaler(workload)]
}

const labelsOf = ({ name, labels }: WorkloadScenario) => ({ 'app.kubernetes.io/name': name, ...labels })
const selectorOf = ({ name }: WorkloadScenario) => ({ matchLabels: { 'app.kubernetes.io/name': name } })

function controllerOf(
  workload: WorkloadScenario,
  template: object,
  { replicas, schedule }: { replicas?: number; schedule?: string },
) {
  const selector = selectorOf(workload)
  switch (workload.kind) {
    case 'Deployment':
      return { apiVersion: 'apps/v1', kind: 'Deployment', spec: { replicas, selector, template } }
    case 'StatefulSet':
      return {
        ...{ apiVersion: 'apps/v1', kind: 'StatefulSet' },
        spec: {
          ...{ replicas, selector, template, serviceName: workload.name },
          volumeClaimTemplates: workload.claim ? [claimTemplate(workload.claim)] : [],
        },
      }
    case 'DaemonSet':
      return { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: { selector, template } }
    case 'CronJob':
      return {
        ...{ apiVersion: 'batch/v1', kind: 'CronJob' },
        spec: { schedule: schedule ?? '0 * * * *', jobTemplate: { spec: { template } } },
      }
    case 'Job':
      return { apiVersion: 'batch/v1', kind: 'Job', spec: { template } }
  }
}

/** The claims exist already: the controller finds them by name. */
const claimTemplate = ({ storageClass, sizeGib }: NonNullable<WorkloadScenario['claim']>) => ({
  metadata: { name: 'data' },
  spec: {
    ...{ accessModes: ['ReadWriteOnce'], storageClassName: classNameOf(storageClass) },
    resources: { requests: { storage: `${sizeGib}Gi` } },
  },
})

function podTemplate(scenario: Scenario, workload: WorkloadScenario, { shape }: Pod): object {
  const { scheduling = {} } = shape
  const isRun = workload.kind === 'Job' || workload.kind === 'CronJob'
  const volumes = volumesOf(scenario, workload, scheduling)
  const evict = scheduling.safe_to_evict
  const containers = shape.containers.map(copyContainer)
  return {
    metadata: {
      labels: labelsOf(workload),
      annotations: {
        ...(evict === undefined ? {} : { 'cluster-autoscaler.kubernetes.io/safe-to-evict': String(evict) }),
        ...(scheduling.do_not_disrupt ? { 'karpenter.sh/do-not-disrupt': 'true' } : {}),
      },
    },
    spec: {
      ...{ automountServiceAccountToken: false, terminationGracePeriodSeconds: 1 },
      ...(isRun ? { restartPolicy: 'Never' } : {}),
      initContainers: containers.filter((_, index) => shape.containers[index]?.kind !== 'app'),
      containers: containers.filter((_, index) => shape.containers[index]?.kind === 'app'),
      tolerations: scheduling.tolerations ?? [],
      affinity: affinityOf(scheduling),
      topologySpreadConstraints: (scheduling.spread ?? []).map((each) => ({
        ...{ topologyKey: each.topology_key, maxSkew: each.max_skew, whenUnsatisfiable: 'DoNotSchedule' },
        labelSelector: kubernetesSelector(each.selector),
      })),
      volumes,
    },
  }
}

const kubernetesSelector = ({ labels = {}, expressions = [] }: LabelSelector = {}) => ({
  matchLabels: labels,
  matchExpressions: expressions,
})

function affinityOf({ node_affinity: terms = [], pod_anti_affinity: apart = [] }: PodScheduling): object {
  const nodeSelectorTerms = terms.map(({ expressions = [] }) => ({ matchExpressions: expressions }))
  const others = apart.map((term) => ({
    topologyKey: term.topology_key,
    labelSelector: kubernetesSelector(term.selector),
  }))
  return {
    ...(nodeSelectorTerms.length === 0
      ? {}
      : { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms } } }),
    ...(others.length === 0 ? {} : { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: others } }),
  }
}

function copyContainer(shape: ContainerShape): object {
  const gpu = shape.gpu_resource === undefined ? {} : { [shape.gpu_resource]: String(shape.gpu_count ?? 0) }
  const amounts = (millicores: number | undefined, kib: number | undefined) => ({
    ...(millicores === undefined ? {} : { cpu: `${millicores}m` }),
    ...(kib === undefined ? {} : { memory: `${kib}Ki` }),
    ...gpu,
  })
  return {
    ...{ name: shape.name, image: `registry.example.com/${shape.name}:1.0` },
    resources: {
      requests: amounts(shape.cpu_request, shape.memory_request),
      limits: amounts(shape.cpu_limit, shape.memory_limit),
    },
    ...(shape.kind === 'sidecar' ? { restartPolicy: 'Always' } : {}),
  }
}

function volumesOf(scenario: Scenario, { namespace, name }: WorkloadScenario, scheduling: PodScheduling): object[] {
  const mounted = (scenario.volumes ?? []).filter(
    (volume) => volume.namespace === namespace && volume.workload === name,
  )
  return [
    ...mounted.map((volume) => ({ name: volume.name, persistentVolumeClaim: { claimName: volume.name } })),
    ...(scheduling.local_storage ? [{ name: 'scratch', emptyDir: {} }] : []),
  ]
}

function copyBudget(workload: WorkloadScenario): KubernetesObject[] {
  const { namespace, name, disruptionBudget } = workload
  if (!disruptionBudget) return []
  const spec = { minAvailable: disruptionBudget.minAvailable, selector: selectorOf(workload) }
  return [{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name, namespace }, ...{ spec } }]
}

function copyAutoscaler({ namespace, name, kind, autoscaler }: WorkloadScenario): KubernetesObject[] {
  if (!autoscaler) return []
  const { replicasMin: minReplicas, replicasMax: maxReplicas, targetPercent: averageUtilization } = autoscaler
  const target = { type: 'Utilization', averageUtilization }
  const spec = {
    ...{ minReplicas, maxReplicas, scaleTargetRef: { apiVersion: 'apps/v1', kind, name } },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
  }
  const metadata = { name, namespace }
  return [{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata, ...{ spec } }]
}
