import { isGuaranteedPod } from './add-changes.ts'
import type { LiveContainer, LiveWorkload, Sizes } from './live-workload.ts'
import type { ResourceSection } from './object-patch.ts'
import { describeSize, sizeOf, type SizedResource } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'
import { changesOf, findChange, sizesAfter, type WorkloadDraft } from './workload-draft.ts'

const resources = ['cpu', 'memory'] as const

/** Finds what the API server, an admission controller or the scheduler would reject. */
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

/** Checks changed containers only; dependent limits are already in the draft. */
function againstLimits(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  for (const container of touched(draft)) {
    const request = sizeOf(sizesAfter(draft, container, 'requests'), resource)
    const limit = sizeOf(sizesAfter(draft, container, 'limits'), resource)
    const isOwn =
      container.requestKeys.includes(resource) || findChange(draft, container, { section: 'requests', resource })
    if (isOwn && request !== null && limit !== null && request > limit) {
      return refuse(
        'limit_below_request',
        `The container would request ${describeSize(resource, request)}. Raise the limit first.`,
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
        `The minimum is ${describeSize(resource, min)}. Set the minimum by hand, or change the LimitRange first.`,
      )
    }
    const largest = Math.max(request ?? 0, limit ?? 0)
    if (max !== null && largest > max) {
      return refuse('limit_range', `The maximum is ${describeSize(resource, max)}. Change the LimitRange first.`)
    }
  }
  return undefined
}

function againstPodLevel(draft: WorkloadDraft, resource: SizedResource): Refusal | undefined {
  const { podRequests, podLimits, containers } = draft.live
  const whole = sizeOf(podRequests, resource)
  const requested = containers
    .filter(({ list, isSidecar }) => list === 'containers' || isSidecar)
    .reduce((sum, each) => sum + (sizeOf(sizesAfter(draft, each, 'requests'), resource) ?? 0), 0)
  if (whole !== null && requested > whole) {
    return refuse('exceeds_pod_level', `The pod-level request is ${describeSize(resource, whole)}. Raise it first.`)
  }
  const most = sizeOf(podLimits, resource)
  const above = touched(draft).find(
    (each) => (sizeOf(sizesAfter(draft, each, 'limits'), resource) ?? 0) > (most ?? Infinity),
  )
  return above && most !== null
    ? refuse('exceeds_pod_level', `The pod-level limit is ${describeSize(resource, most)}. Raise it first.`)
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
    `A pod would request ${describeSize(resource, after)}; the largest node ${which} has ${describeSize(resource, largest)}. ${advice}`,
  )
}

const nodesMeant = {
  admitting: {
    which: 'that admits the pods',
    advice: 'Add a larger node that admits the pods, or change their node selector, affinity or tolerations.',
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
        `All replicas need ${describeSize(resource, more)} more in ${section}; the quota has ${describeSize(resource, left)} left. Raise the ResourceQuota first.`,
      )
    }
  }
  return undefined
}

const growth = (draft: WorkloadDraft, resource: SizedResource, section: ResourceSection) =>
  sumKnown(draft.live, resource, (each) => sizesAfter(draft, each, section)) -
  sumKnown(draft.live, resource, (each) => each[section])

/** Kubernetes resizes a running pod in place if its QoS class stays and no request or limit is removed. */
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
  return refuse('pod_resize_refused', 'Change the manifest of the pod, delete the pod and create it again.')
}

function serviceClass(live: LiveWorkload): string {
  if (isGuaranteedPod(live)) return 'Guaranteed'
  const hasResources = live.containers.some(({ requests, limits }) =>
    resources.some((resource) => sizeOf(requests, resource) !== null || sizeOf(limits, resource) !== null),
  )
  return hasResources ? 'Burstable' : 'BestEffort'
}
