import type { PodTemplate } from '@plimsoll/contract'
import type { OwnerReference } from '../kinds/kube-types.ts'
import type { PodFacts } from '../kinds/pods.ts'
import { Shared } from '../kinds/shared.ts'
import type { WorkloadFacts } from '../kinds/workloads.ts'

/** The top-level workload of a pod. */
export type Workload = { readonly kind: string; readonly name: string; readonly template?: PodTemplate }

export type ReplicaSetFacts = { readonly uid: string; readonly name: string; readonly owner?: OwnerReference }

/** Resolves owners: ReplicaSets to Deployments and Rollouts, Jobs to CronJobs. */
export class Owners {
  readonly #replicaSets = new Map<string, ReplicaSetFacts>()
  readonly #workloads = new Map<string, WorkloadFacts>()
  /** Shares one object among all pods of a workload. */
  readonly #shared = new Shared<Workload>()

  get replicaSets(): ReadonlyMap<string, ReplicaSetFacts> {
    return this.#replicaSets
  }

  get workloads(): ReadonlyMap<string, WorkloadFacts> {
    return this.#workloads
  }

  setReplicaSet(facts: ReplicaSetFacts): void {
    this.#replicaSets.set(facts.uid, facts)
  }

  endReplicaSet(uid: string): void {
    this.#replicaSets.delete(uid)
  }

  setWorkload(facts: WorkloadFacts): void {
    this.#workloads.set(facts.uid, facts)
  }

  endWorkload(uid: string): void {
    this.#workloads.delete(uid)
  }

  /** Undefined: the owners have not been seen yet. */
  find(pod: PodFacts): Workload | undefined {
    const { owner, isStatic } = pod.made
    if (isStatic) return this.#one({ kind: 'Node', name: staticName(pod) })
    if (!owner) return this.#one(ownerless(pod))
    if (owner.kind === 'ReplicaSet') return this.#ofReplicaSet(owner, pod)
    if (isController(owner)) return this.#ofController(owner)
    return this.#one(labelled(pod) ?? { kind: owner.kind ?? '', name: withoutRun(owner) })
  }

  /** From names and labels only, if the owners are unknown. */
  guess(pod: PodFacts): Workload {
    const { owner } = pod.made
    if (owner?.kind === 'ReplicaSet') return this.#one(deploymentBehind(owner.name ?? '', pod.labels))
    if (owner?.kind === 'Job') return this.#one(cronJobBehind(owner.name ?? ''))
    return this.find(pod) ?? this.#one({ kind: owner?.kind ?? 'Pod', name: owner?.name ?? pod.name })
  }

  #ofReplicaSet({ uid = '', name = '' }: OwnerReference, pod: PodFacts): Workload | undefined {
    const replicaSet = this.#replicaSets.get(uid)
    if (!replicaSet) return undefined
    const { owner } = replicaSet
    if (!owner) return this.#one({ kind: 'ReplicaSet', name })
    if (isController(owner)) return this.#ofController(owner)
    return this.#one(labelled(pod) ?? { kind: owner.kind ?? '', name: owner.name ?? '' })
  }

  /** The CronJob wins over the Job. A Deployment of an operator stays a Deployment. */
  #ofController(owner: OwnerReference): Workload | undefined {
    const workload = this.#workloads.get(owner.uid ?? '')
    if (!workload) return undefined
    if (workload.kind === 'Job' && workload.owner?.kind === 'CronJob') return this.#ofController(workload.owner)
    const name = workload.kind === 'Job' ? (workload.generateName ?? workload.name) : workload.name
    const template = workload.template ?? this.#borrowedTemplate(workload)
    return this.#one({ kind: workload.kind, name, ...(template ? { template } : {}) })
  }

  #borrowedTemplate({ templateFrom, namespace }: WorkloadFacts): PodTemplate | undefined {
    if (!templateFrom) return undefined
    for (const each of this.#workloads.values()) {
      const isIt = each.kind === templateFrom.kind && each.name === templateFrom.name && each.namespace === namespace
      if (isIt) return each.template
    }
    return undefined
  }

  #one(workload: Workload): Workload {
    return this.#shared.of(workload)
  }
}

const controllers = /^(apps|batch|argoproj\.io|extensions)\//
const controllerKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'Rollout'])

const isController = ({ apiVersion = '', kind = '' }: OwnerReference) =>
  controllerKinds.has(kind) && controllers.test(apiVersion)

/** The name of a static pod ends with the name of its node. */
const staticName = ({ name, nodeName }: PodFacts) =>
  nodeName !== '' && name.endsWith(`-${nodeName}`) ? name.slice(0, -nodeName.length - 1) : name

function ownerless(pod: PodFacts): Workload {
  const { generateName } = pod.made
  return (
    labelled(pod) ?? {
      kind: 'Pod',
      name: generateName === undefined ? pod.name : generateName.replace(/(?<!-)-+$/, ''),
    }
  )
}

/** Labels that name the workflow of a pod, for systems whose objects the agent does not read. */
const runLabels = [
  { label: 'workflows.argoproj.io/cron-workflow', kind: 'CronWorkflow' },
  { label: 'workflows.argoproj.io/workflow-template', kind: 'WorkflowTemplate' },
  { label: 'workflows.argoproj.io/cluster-workflow-template', kind: 'ClusterWorkflowTemplate' },
  { label: 'sparkoperator.k8s.io/app-name', kind: 'SparkApplication' },
  { label: 'spark-app-name', kind: 'SparkApplication' },
  { label: 'tekton.dev/pipeline', kind: 'Pipeline' },
  { label: 'tekton.dev/task', kind: 'Task' },
  { label: 'openshift.io/deployment-config.name', kind: 'DeploymentConfig' },
]

function labelled({ labels }: PodFacts): Workload | undefined {
  for (const { label, kind } of runLabels) {
    const name = labels[label]
    if (name) return { kind, name }
  }
  return undefined
}

/** Kinds with one object per run and a random name suffix. */
const runKinds = new Set(['Workflow', 'PipelineRun', 'TaskRun', 'SparkApplication', 'RayJob', 'RayCluster'])

const withoutRun = ({ kind = '', name = '' }: OwnerReference) =>
  runKinds.has(kind) ? name.replace(/-[a-z0-9]{5}$/, '') : name

function deploymentBehind(replicaSet: string, labels: PodFacts['labels']): Workload {
  const rollout = labels['rollouts-pod-template-hash']
  const hash = rollout ?? labels['pod-template-hash']
  if (hash === undefined || !replicaSet.endsWith(`-${hash}`)) return { kind: 'ReplicaSet', name: replicaSet }
  return { kind: rollout === undefined ? 'Deployment' : 'Rollout', name: replicaSet.slice(0, -hash.length - 1) }
}

/** The Job name of a CronJob ends with its scheduled minute. */
function cronJobBehind(job: string): Workload {
  const minute = /^(.+)-\d{8,10}$/.exec(job)
  return minute ? { kind: 'CronJob', name: minute[1] ?? job } : { kind: 'Job', name: job }
}
