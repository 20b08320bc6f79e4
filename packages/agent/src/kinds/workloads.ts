import type { ObjectSpec, PodTemplate } from '@plimsoll/contract'
import { sentAnnotations } from './annotations.ts'
import { heapMaxKib } from './heap.ts'
import { secondOf, type Metadata, type OwnerReference, type PodSpec } from './kube-types.ts'
import { controllerOf } from './pods.ts'
import { requestManagers } from './request-managers.ts'
import { templateOf } from './templates.ts'
import { without } from './without.ts'

export type WorkloadKind = 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Job' | 'CronJob' | 'Rollout'

type WorkloadObject = {
  metadata?: Metadata
  spec?: {
    replicas?: number
    template?: { spec?: PodSpec }
    jobTemplate?: { spec?: { template?: { spec?: PodSpec } } }
    workloadRef?: { kind?: string; name?: string }
    schedule?: string
    suspend?: boolean
  }
  status?: {
    lastScheduleTime?: string
    lastSuccessfulTime?: string
    conditions?: { type?: string; status?: string; lastTransitionTime?: string }[]
  }
}

/** A controller: its owner, its template, and its own facts. */
export type WorkloadFacts = {
  readonly uid: string
  readonly name: string
  readonly namespace: string
  readonly kind: WorkloadKind
  readonly owner?: OwnerReference
  /** Absent if a Rollout refers to the template of a Deployment. */
  readonly template?: PodTemplate
  readonly templateFrom?: { readonly kind: string; readonly name: string }
  /** Without the final hyphen; for Jobs with a generated name. */
  readonly generateName?: string
  readonly spec: ObjectSpec<'workload'>
  /** When the Job failed. */
  readonly failedAt: number
}

const apiVersions: Readonly<Record<WorkloadKind, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Rollout: 'argoproj.io/v1alpha1',
}

export type WorkloadOptions = { readonly readHeaps: boolean }

export function workloadFacts(
  kind: WorkloadKind,
  object: WorkloadObject,
  options: WorkloadOptions,
): WorkloadFacts | undefined {
  const { metadata = {}, spec = {} } = object
  const { uid, name, namespace = '' } = metadata
  if (uid === undefined || name === undefined) return undefined
  const podSpec = spec.template?.spec ?? spec.jobTemplate?.spec?.template?.spec
  const { workloadRef } = spec
  return {
    uid,
    name,
    namespace,
    kind,
    ...without({
      owner: controllerOf(metadata.ownerReferences),
      template: podSpec?.containers ? templateOf(apiVersions[kind], podSpec, metadata) : undefined,
      templateFrom:
        workloadRef?.kind && workloadRef.name ? { kind: workloadRef.kind, name: workloadRef.name } : undefined,
      generateName: metadata.generateName?.replace(/(?<!-)-+$/, ''),
    }),
    spec: workloadSpec(kind, object, podSpec, options),
    failedAt: failedAt(object),
  }
}

function workloadSpec(
  kind: WorkloadKind,
  { metadata = {}, spec = {}, status = {} }: WorkloadObject,
  podSpec: PodSpec | undefined,
  options: WorkloadOptions,
): ObjectSpec<'workload'> {
  const { labels = {} } = metadata
  return {
    workload_kind: kind,
    ...without({
      replicas: kind === 'Deployment' || kind === 'StatefulSet' || kind === 'Rollout' ? spec.replicas : undefined,
      labels: Object.keys(labels).length === 0 ? undefined : labels,
      annotations: sentAnnotations(metadata.annotations),
      containers: containersOf(podSpec, metadata, options),
    }),
    ...(kind === 'CronJob'
      ? without({
          schedule: spec.schedule,
          suspended: spec.suspend === true ? true : undefined,
          last_run_at: known(secondOf(status.lastScheduleTime)),
          last_success_at: known(secondOf(status.lastSuccessfulTime)),
        })
      : {}),
  }
}

const known = (second: number) => (second === 0 ? undefined : second)

function containersOf(
  podSpec: PodSpec | undefined,
  { managedFields }: Metadata,
  { readHeaps }: WorkloadOptions,
): ObjectSpec<'workload'>['containers'] {
  if (!podSpec) return undefined
  const managers = requestManagers(managedFields)
  const all = [...(podSpec.initContainers ?? []), ...(podSpec.containers ?? [])]
  return Object.fromEntries(
    all.map((each) => [
      each.name ?? '',
      without({
        image: each.image,
        heap_max: readHeaps ? heapMaxKib(each) : undefined,
        request_managers: managers.get(each.name ?? ''),
      }),
    ]),
  )
}

function failedAt({ status = {} }: WorkloadObject): number {
  const failed = status.conditions?.find(({ type, status: is }) => type === 'Failed' && is === 'True')
  return secondOf(failed?.lastTransitionTime)
}
