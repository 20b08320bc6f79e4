import { isGuaranteedPod } from './add-changes.ts'
import type { LiveContainer, LiveWorkload, Sizes } from './live-workload.ts'
import type { ResourceSection } from './object-patch.ts'
import { formatSize, sizeOf, type SizedResource } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'
import { changesOf, findChange, sizesAfter, type WorkloadDraft } from './workload-draft.ts'

const resources = ['cpu', 'memory'] as const

/** What the API server, the scheduler or an admission would say no to. No tool that writes manifests checks it. */
export function findRefusal(draft: WorkloadDraft): Refusal | undefined {
  for (const resource of resources) {
    const refusal =
      againstLimits(draft, resource) ??
      againstLimitRange(draft, resource) ??
      againstPodLevel(draft, resource) ??
      againstNodes(draft, resource) ??
      againstQuota(draft, resource)
    if (refusal) return refusal
  }
  return draft.live.kind === 'Pod' ? againstResize(draft) : undefined
}

const touched = (draft: WorkloadDraft) => draft.live.containers.filter((each) => changesOf(draft, each).length > 0)

/** Of the changed ones; what follows from a change has been added before. */
function againstLimits(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  for (const container of touched(draft)) {
    const request = sizeOf(sizesAfter(draft, container, 'requests'), resource)
    const limit = sizeOf(sizesAfter(draft, container, 'limits'), resource)
    const isOwn =
      container.requestKeys.includes(resource) || findChange(draft, container, { section: 'requests', resource })
    if (isOwn && request !== null && limit !== null && request > limit) {
      return refuse(
        'limit_below_request',
        `The container would ask for ${formatSize(resource, request)} of ${resource}. Raise the limit first.`,
      )
    }
  }
  return undefined
}

function againstLimitRange(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  const { limitRange } = draft.live
  if (limitRange === null || limitRange === 'unknown') return undefined
  const min = sizeOf(limitRange.min, resource)
  const max = sizeOf(limitRange.max, resource)
  for (const container of touched(draft)) {
    const request = sizeOf(sizesAfter(draft, container, 'requests'), resource)
    const limit = sizeOf(sizesAfter(draft, container, 'limits'), resource)
    if (min !== null && request !== null && request < min) {
      return refuse(
        'limit_range',
        `A container must ask for at least ${formatSize(resource, min)} of ${resource}. Set that much by hand, or change the LimitRange first.`,
      )
    }
    const largest = Math.max(request ?? 0, limit ?? 0)
    if (max !== null && largest > max) {
      return refuse(
        'limit_range',
        `A container may ask for at most ${formatSize(resource, max)} of ${resource}. Change the LimitRange first.`,
      )
    }
  }
  return undefined
}

function againstPodLevel(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  const { podRequests, podLimits, containers } = draft.live
  const whole = sizeOf(podRequests, resource)
  const asked = containers
    .filter(({ list, isSidecar }) => list === 'containers' || isSidecar)
    .reduce((sum, each) => sum + (sizeOf(sizesAfter(draft, each, 'requests'), resource) ?? 0), 0)
  if (whole !== null && asked > whole) {
    return refuse('exceeds_pod_level', `The pod as a whole asks for ${formatSize(resource, whole)}; raise that first.`)
  }
  const most = sizeOf(podLimits, resource)
  const above = touched(draft).find(
    (each) => (sizeOf(sizesAfter(draft, each, 'limits'), resource) ?? 0) > (most ?? Infinity),
  )
  return above && most !== null
    ? refuse('exceeds_pod_level', `The pod as a whole may use ${formatSize(resource, most)}; raise that first.`)
    : undefined
}

function againstNodes(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  const { largestNode } = draft.live
  if (!largestNode) return undefined
  const largest = sizeOf(largestNode, resource) ?? 0
  const before = sumKnown(draft.live, resource, (each) => each.requests)
  const after = sumKnown(draft.live, resource, (each) => sizesAfter(draft, each, 'requests'))
  if (after <= largest || after <= before) return undefined
  const { which, advice } = nodesMeant[largestNode.among ?? 'cluster']
  return refuse(
    'exceeds_largest_node',
    `A pod would ask for ${formatSize(resource, after)} of ${resource}, and the largest node ${which} has ${formatSize(resource, largest)}. ${advice}`,
  )
}

const nodesMeant = {
  admitting: {
    which: 'that its pods may run on',
    advice: 'Add a larger one that admits them first, or let them run on other nodes.',
  },
  cluster: { which: 'of the cluster', advice: 'Add a larger node first.' },
}

const sumKnown = ({ containers }: LiveWorkload, resource: SizedResource, sizes: (container: LiveContainer) => Sizes) =>
  containers
    .filter(({ list, isSidecar }) => list === 'containers' || isSidecar)
    .reduce((sum, each) => sum + (sizeOf(sizes(each), resource) ?? 0), 0)

function againstQuota(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  const { quota, replicas } = draft.live
  if (quota === null || quota === 'unknown') return undefined
  for (const section of ['requests', 'limits'] as const) {
    const left = sizeOf(quota[section], resource)
    if (left === null) continue
    const more = replicas * growth(draft, resource, section)
    if (more > left) {
      return refuse(
        'quota_exceeded',
        `All replicas together would need ${formatSize(resource, more)} more of ${section}.${resource}, and ${formatSize(resource, left)} is left. Raise the ResourceQuota first.`,
      )
    }
  }
  return undefined
}

const growth = (draft: WorkloadDraft, resource: SizedResource, section: ResourceSection) =>
  sumKnown(draft.live, resource, (each) => sizesAfter(draft, each, section)) -
  sumKnown(draft.live, resource, (each) => each[section])

/** A running pod can be resized in place, as long as its class of service stays and nothing is taken away. */
function againstResize(draft: WorkloadDraft): Refusal | undefined {
  const all = touched(draft)
  const removes = all.some((each) => changesOf(draft, each).some(({ to }) => to === null))
  const others = all.some((each) =>
    changesOf(draft, each).some(({ resource }) => !resources.some((r) => r === resource)),
  )
  const starts = all.some(({ list, isSidecar }) => list === 'initContainers' && !isSidecar)
  const after: LiveWorkload = {
    ...draft.live,
    containers: draft.live.containers.map((each) => ({
      ...each,
      requests: sizesAfter(draft, each, 'requests'),
      limits: sizesAfter(draft, each, 'limits'),
    })),
  }
  if (!removes && !others && !starts && serviceClass(draft.live) === serviceClass(after)) return undefined
  return refuse('pod_resize_refused', 'Change the manifest that the pod is made from, delete the pod and make it anew.')
}

function serviceClass(live: LiveWorkload): string {
  if (isGuaranteedPod(live)) return 'Guaranteed'
  const asks = live.containers.some(({ requests, limits }) =>
    resources.some((resource) => sizeOf(requests, resource) !== null || sizeOf(limits, resource) !== null),
  )
  return asks ? 'Burstable' : 'BestEffort'
}
