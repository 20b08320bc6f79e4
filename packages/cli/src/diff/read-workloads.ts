import type { WorkloadState } from '@plimsoll/contract'
import { usageError } from '../exit-codes.ts'
import { parseAllDocuments } from '../output/yaml.ts'

/** A manifest, and where it comes from for messages. */
export type Rendered = { readonly source: string; readonly text: string }

export type ManifestWorkload = {
  readonly kind: string
  readonly namespace: string
  readonly name: string
  readonly state: WorkloadState
  readonly source: string
}

type Json = Readonly<Record<string, unknown>>

const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Rollout', 'CronJob', 'Job', 'Pod']

/** The workloads of the manifests by namespace, kind and name. Other objects have no requests. */
export function readWorkloads(manifests: readonly Rendered[], namespace: string): Map<string, ManifestWorkload> {
  const found = new Map<string, ManifestWorkload>()
  for (const { source, text } of manifests) {
    for (const object of parseObjects(source, text)) {
      const workload = workloadOf(object, { namespace, source })
      if (!workload) continue
      const key = `${workload.namespace}/${workload.kind}/${workload.name}`
      const other = found.get(key)
      if (other) throw usageError(`${key} is in ${other.source} and in ${source}. Name one of the directories.`)
      found.set(key, workload)
    }
  }
  return found
}

function parseObjects(source: string, text: string): Json[] {
  let values: unknown[]
  try {
    values = parseAllDocuments(text).map((document) => {
      const [error] = document.errors
      if (error) throw error
      return document.toJS({ maxAliasCount: 1000 }) as unknown
    })
  } catch (error) {
    const [reason] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw usageError(
      `${source} is not valid YAML: ${reason ?? ''} Use -k for a kustomization, and -f CHART for a chart.`,
    )
  }
  return values.flatMap((value) => objectsIn(value))
}

function objectsIn(value: unknown): Json[] {
  if (!isObject(value)) return []
  const { kind, items } = value
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) return items.flatMap(objectsIn)
  return [value]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((part, name) => (isObject(part) ? part[name] : undefined), value)

function workloadOf(object: Json, from: { namespace: string; source: string }): ManifestWorkload | undefined {
  const { kind, apiVersion } = object
  const name = at(object, 'metadata', 'name')
  if (typeof kind !== 'string' || typeof apiVersion !== 'string' || !kinds.includes(kind)) return undefined
  const pod = podOf(kind, object)
  // A Job with generateName has another name in each run.
  if (typeof name !== 'string' || !isObject(pod)) return undefined
  const namespace = at(object, 'metadata', 'namespace')
  return {
    kind,
    name,
    namespace: typeof namespace === 'string' ? namespace : from.namespace,
    source: from.source,
    state: stateOf(kind, object, pod),
  }
}

function podOf(kind: string, object: Json): unknown {
  if (kind === 'Pod') return at(object, 'spec')
  if (kind === 'CronJob') return at(object, 'spec', 'jobTemplate', 'spec', 'template', 'spec')
  return at(object, 'spec', 'template', 'spec')
}

/** Only what a cost depends on leaves the machine: never environment variables, arguments or images. */
function stateOf(kind: string, object: Json, pod: Json): WorkloadState {
  const replicas = at(object, 'spec', 'replicas')
  const schedule = at(object, 'spec', 'schedule')
  const podRequests = requestsOf(pod.resources)
  return {
    ...(typeof replicas === 'number' && kind !== 'CronJob' && kind !== 'DaemonSet' ? { replicas } : {}),
    ...(kind === 'CronJob' && typeof schedule === 'string' ? { schedule } : {}),
    ...(kind === 'CronJob' && at(object, 'spec', 'suspend') === true ? { suspended: true } : {}),
    ...(podRequests ? { pod_requests: podRequests } : {}),
    containers: [
      ...listOf(pod.containers).map((each) => containerOf(each)),
      ...listOf(pod.initContainers).map((each) =>
        containerOf(each, each.restartPolicy === 'Always' ? 'sidecar' : 'init'),
      ),
    ],
  }
}

const listOf = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])

type Container = WorkloadState['containers'][number]

function containerOf({ name, resources }: Json, kind?: 'init' | 'sidecar'): Container {
  const requests = requestsOf(resources)
  // The server adds the default kind.
  return {
    name: String(name),
    ...(kind === undefined ? {} : { kind }),
    ...(requests ? { requests } : {}),
  } as Container
}

/** As in Kubernetes, a missing request is the limit. */
function requestsOf(resources: unknown): Record<string, string> | undefined {
  const all = { ...quantities(at(resources, 'limits')), ...quantities(at(resources, 'requests')) }
  return Object.keys(all).length === 0 ? undefined : all
}

const quantities = (value: unknown): Record<string, string> =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, amount]) => [name, String(amount)])) : {}
