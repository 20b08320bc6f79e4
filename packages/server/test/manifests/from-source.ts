import type { LiveContainer, LiveWorkload, Sizes, WantedChange } from '@plimsoll/engine/manifests'
import { parseBytes, parseMillicores } from '@plimsoll/engine/testing'
import { parseAllDocuments } from 'yaml'
import type { Case } from './corpus/case.ts'

export type KubeObject = {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string }
  spec?: Record<string, unknown>
}
type Container = { name?: string; restartPolicy?: string; resources?: Resources }
type Resources = { requests?: Record<string, unknown>; limits?: Record<string, unknown>; claims?: unknown[] }
type PodSpec = { containers: Container[]; initContainers?: Container[]; resources?: Resources }

/** As the Kubernetes tools read YAML. */
export const readObjects = (text: string): KubeObject[] =>
  [...parseAllDocuments(text, { version: '1.1', merge: true })]
    .map((document): unknown => document.toJS())
    .filter((each): each is KubeObject => each !== null)

export const firstObject = (text: string): KubeObject => {
  const [first] = readObjects(text)
  if (!first) throw new Error('the source holds an object')
  return first
}

const podSpecOf = (object: KubeObject): PodSpec | undefined => {
  const spec = object.spec as Record<string, never> & { containers?: unknown; template?: { spec: PodSpec } }
  if (object.kind === 'Pod') return spec as unknown as PodSpec
  if (object.kind === 'CronJob')
    return (spec as unknown as { jobTemplate: { spec: { template: { spec: PodSpec } } } }).jobTemplate.spec.template
      .spec
  return spec.template?.spec
}

/** The report of an agent for this object in a cluster. */
export function liveOf(object: KubeObject, injected: readonly string[] = []): LiveWorkload | undefined {
  const pod = podSpecOf(object)
  if (!pod) return undefined
  const of = (list: LiveContainer['list']) => (pod[list] ?? []).map((each, index) => containerOf(each, list, index))
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    namespace: 'shop',
    name: object.metadata.name,
    replicas: 2,
    containers: [...of('initContainers'), ...of('containers')],
    injected,
    isTemplateSeen: true,
    podRequests: sizesOf(pod.resources?.requests),
    podLimits: sizesOf(pod.resources?.limits),
    labels: {},
    annotations: {},
    releaseSiblings: [],
    owner: null,
    autoscaler: null,
    limitRange: null,
    quota: null,
    largestNode: { cpuMillicores: 64_000, memoryKib: 256 * 1024 * 1024 },
  }
}

function containerOf(
  { name = '', restartPolicy, resources = {} }: Container,
  list: LiveContainer['list'],
  index: number,
): LiveContainer {
  const { requests = {}, limits = {}, claims = [] } = resources
  return {
    name,
    list,
    index,
    isSidecar: restartPolicy === 'Always',
    requestKeys: Object.keys(requests),
    limitKeys: Object.keys(limits),
    hasClaims: claims.length > 0,
    // A pod with limits only requests as much as its limits.
    requests: sizesOf({ ...limits, ...requests }),
    limits: sizesOf(limits),
  }
}

function sizesOf(values: Record<string, unknown> = {}): Sizes {
  const cpu = parseMillicores(String(values.cpu))
  const memory = parseBytes(String(values.memory))
  return {
    cpuMillicores: cpu.kind === 'ok' ? cpu.value : null,
    memoryKib: memory.kind === 'ok' ? Math.ceil(memory.value / 1024) : null,
  }
}

/** The recommendations for the change of a case, one per container. */
export function wantedOf({ source, set = {}, fields, injected }: Case): WantedChange[] {
  const object = firstObject(source)
  const common = {
    clusterId: 'cls_1',
    clusterName: 'prod',
    current: null,
    recommended: null,
    live: liveOf(object, injected) ?? ('not_seen' as const),
  }
  const target = { kind: object.kind, namespace: 'shop', name: object.metadata.name, container: '' }
  const id = (part: string) => `rec ${object.apiVersion} ${object.kind} ${object.metadata.name} ${part}`
  const change = { action: 'set_requests' as const, summary: 'A change.' }
  const ofObject = fields ? [{ ...common, id: id('fields'), change: { ...change, object: target, fields } }] : []
  const ofContainers = Object.entries(set).map(([container, sections]) => ({
    ...common,
    id: id(container),
    change: {
      ...change,
      object: { ...target, container },
      fields: Object.entries(sections).flatMap(([section, values]) =>
        Object.entries(values).map(([resource, to]) => ({ path: `resources.${section}.${resource}`, from: null, to })),
      ),
    },
  }))
  return [...ofObject, ...ofContainers]
}

/** The expected object, computed without the code under test. */
export function intended({ source, set = {}, fields = [] }: Case): KubeObject {
  const object = structuredClone(firstObject(source))
  const pod = podSpecOf(object)
  for (const [name, sections] of Object.entries(set)) {
    const all = [...(pod?.initContainers ?? []), ...(pod?.containers ?? [])]
    const container = all.find((each) => each.name === name) ?? all.find((each) => each.name === undefined)
    if (!container) throw new Error(`${name} is a container of the source`)
    // A value shared by an anchor is one value in memory, and two in the cluster.
    container.resources = structuredClone(container.resources ?? {})
    for (const [section, values] of Object.entries(sections) as [
      'requests' | 'limits',
      Record<string, string | null>,
    ][]) {
      const own = { ...container.resources[section] }
      for (const [resource, to] of Object.entries(values)) {
        if (to === null) delete own[resource]
        else own[resource] = to
      }
      container.resources[section] = own
    }
  }
  for (const { path, to } of fields) setPath(object, path.split('.'), to ?? '')
  return object
}

function setPath(object: Record<string, unknown>, [first = '', ...rest]: string[], value: string): void {
  if (rest.length > 0) {
    object[first] ??= {}
    setPath(object[first] as Record<string, unknown>, rest, value)
  } else object[first] = /^\d+$/.test(value) ? Number(value) : value === 'true' ? true : value
}

/** Tools write the same value in different ways: quantities as numbers, empty objects or none. */
export function normal(value: unknown, path = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => normal(each, path))
  if (typeof value !== 'object' || value === null) return /\.(requests|limits)\./.test(path) ? String(value) : value
  const entries = Object.entries(value)
    .map(([key, child]) => [key, normal(child, `${path}.${key}`)] as const)
    .filter(([, child]) => !(typeof child === 'object' && child !== null && Object.keys(child).length === 0))
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}
