import type { ContainerShape, PodShape, PodTemplate } from '@plimsoll/contract'
import { apiVersions, type LiveContainer, type LiveWorkload, type Sizes } from '@plimsoll/engine/manifests'
import { podCapacity, workloadPath } from '@plimsoll/engine/rules'
import { largestNodeOf } from './largest-node.ts'
import { lastCronPods } from './resting-cron-jobs.ts'
import { newestOf, podsByWorkload } from './living-pods.ts'
import { capacityFacts } from './with-capacity.ts'
import type { CapacityOf } from './node-facts.ts'
import type { FoldState } from '../fold/fold-state.ts'
import type { PodRecord } from '../fold/inventory.ts'
import { releaseSiblings } from './release-siblings.ts'
import { reportedObjects, type ReportedOf } from './reported-objects.ts'

export type FindLiveShape = (workload: { namespace: string; kind: string; name: string }) => LiveWorkload | null

/**
 * Workloads of the newest snapshot in the form that manifests need. A CronJob between its runs has the shape of its
 * last run. Facts that the snapshot lacks are marked as unknown, and the manifest says so.
 */
export function liveShapes(state: FoldState, capacityOf: CapacityOf = () => null): FindLiveShape {
  const groups = podsByWorkload(state)
  const lastRuns = lastCronPods(state)
  const largestNode = largestNodeOf(state)
  const reportedOf = reportedObjects(state)
  const siblingsOf = releaseSiblings(state, groups)
  return ({ namespace, kind, name }) => {
    const path = workloadPath(namespace, kind, name)
    const pods = groups.get(path) ?? [lastRuns.get(path)].filter((pod) => pod !== undefined)
    const shape = shapeOf(
      pods,
      reportedOf,
      podCapacity({ largestNode }, { admittingCapacity: capacityFacts(capacityOf(path)) }),
    )
    const siblings = shape && siblingsOf(shape)
    return siblings ? { ...shape, releaseSiblings: siblings } : shape
  }
}

/** The newest pod stands for the others, because it comes from the current template. */
function shapeOf(
  pods: readonly PodRecord[],
  reportedOf: ReportedOf,
  largestNode: LiveWorkload['largestNode'],
): LiveWorkload | null {
  const newest = newestOf(pods)
  const shape = newest?.versions.at(-1)?.facts.shape
  if (!newest || !shape) return null
  const { template } = shape
  const { namespace, workloadKind: kind, workloadName: name } = newest
  const { labels = newest.labels, ...reported } = reportedOf({ namespace, kind, name })
  return {
    apiVersion: template?.api_version ?? apiVersions[kind] ?? '',
    kind,
    namespace,
    name,
    replicas: pods.length,
    containers: template ? fromTemplate(shape, template) : fromPod(shape),
    injected: template ? injectedNames(shape, template) : shape.containers.map(({ name }) => name).filter(isInjected),
    isTemplateSeen: template !== undefined,
    podRequests: sizes(shape.pod_cpu_request, shape.pod_memory_request),
    podLimits: sizes(shape.pod_cpu_limit, shape.pod_memory_limit),
    labels,
    ...reported,
    owner: template ? (ownerOf(template) ?? null) : 'unknown',
    largestNode,
  }
}

const sizes = (cpu: number | undefined, memory: number | undefined): Sizes => ({
  cpuMillicores: cpu ?? null,
  memoryKib: memory ?? null,
})

const ownerOf = ({ owner }: PodTemplate) =>
  owner && { apiVersion: owner.api_version, kind: owner.kind, name: owner.name }

function fromTemplate({ containers }: PodShape, template: PodTemplate): LiveContainer[] {
  const of = (list: LiveContainer['list'], entries: readonly TemplateContainer[]) =>
    entries.map(({ name, requests = [], limits = [], claims = false }, index): LiveContainer => {
      const own = containers.find((each) => each.name === (name === '' ? 'user-container' : name) && isOf(list, each))
      return {
        ...placed(list, index, own),
        name,
        requestKeys: requests,
        limitKeys: limits,
        hasClaims: claims,
      }
    })
  return [...of('initContainers', template.init_containers ?? []), ...of('containers', template.containers)]
}

type TemplateContainer = PodTemplate['containers'][number]

const isOf = (list: LiveContainer['list'], { kind }: ContainerShape) => (kind === 'app') === (list === 'containers')

const placed = (list: LiveContainer['list'], index: number, own: ContainerShape | undefined) => ({
  list,
  index,
  isSidecar: own?.kind === 'sidecar',
  requests: sizes(own?.cpu_request, own?.memory_request),
  limits: sizes(own?.cpu_limit, own?.memory_limit),
})

const injectedNames = ({ containers }: PodShape, template: PodTemplate) => {
  const own = new Set([...(template.init_containers ?? []), ...template.containers].map(({ name }) => name))
  const isNameless = template.containers.some(({ name }) => name === '')
  return containers
    .map(({ name }) => name)
    .filter((name) => !own.has(name) && !(isNameless && name === 'user-container'))
}

/** Containers that meshes and secret stores inject, for agents that do not send the template. */
const knownInjected = new Set([
  'istio-proxy',
  'istio-init',
  'istio-validation',
  'linkerd-proxy',
  'linkerd-init',
  'vault-agent',
  'vault-agent-init',
  'envoy-sidecar',
  'queue-proxy',
  'daprd',
  'cloud-sql-proxy-injected',
])

const isInjected = (name: string) => knownInjected.has(name)

function fromPod({ containers }: PodShape): LiveContainer[] {
  const own = containers.filter(({ name }) => !isInjected(name))
  const of = (list: LiveContainer['list']) =>
    own
      .filter((each) => isOf(list, each))
      .map((each, index): LiveContainer => ({
        ...placed(list, index, each),
        name: each.name,
        requestKeys: keysOf(each.cpu_request, each.memory_request, undefined),
        limitKeys: keysOf(each.cpu_limit, each.memory_limit, each.gpu_resource),
        hasClaims: false,
      }))
  return [...of('initContainers'), ...of('containers')]
}

const keysOf = (cpu: number | undefined, memory: number | undefined, gpu: string | undefined) => [
  ...(cpu === undefined ? [] : ['cpu']),
  ...(memory === undefined ? [] : ['memory']),
  ...(gpu === undefined ? [] : [gpu]),
]
