import type { LiveContainer, LiveWorkload } from './live-workload.ts'
import type { ResourceChange } from './object-patch.ts'
import { describeSize, formatSize, isSized, parseSize, sizeOf, type SizedResource } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'
import { findChange, sizesAfter, withChange, type WorkloadDraft } from './workload-draft.ts'

/** Adds the changes of one recommendation to one container, and adjusts the limits that depend on them. */
export function addChanges(
  draft: WorkloadDraft,
  containerName: string,
  changes: readonly ResourceChange[],
): WorkloadDraft | Refusal {
  const container = findContainer(draft.live, containerName)
  if ('code' in container) return container
  let next = draft
  // Requests first: an explicit limit then replaces the limit derived from the request.
  for (const change of changes.toSorted((a, b) => (a.section < b.section ? 1 : a.section > b.section ? -1 : 0))) {
    const other = findChange(draft, container, change)
    if (other && !other.isConsequence && other.to !== change.to) {
      return refuse(
        'conflicting_changes',
        `${change.section}.${change.resource} of container ${containerName} is ${other.to ?? 'removed'} in one recommendation and ${change.to ?? 'removed'} in another. Create a manifest for each.`,
      )
    }
    if (isAbsent(container, change)) continue
    next = withChange(next, container, change)
    const followed = follow(next, container, change)
    if ('code' in followed) return followed
    next = followed
  }
  return next
}

function findContainer({ containers, injected, apiVersion }: LiveWorkload, name: string): LiveContainer | Refusal {
  const [found, another] = containers.filter((each) => each.name === name)
  if (another) return refuse('container_ambiguous', 'Give each container of the pod a unique name.')
  if (found) return found
  if (injected.includes(name)) {
    return refuse(
      'container_not_in_template',
      'Change the resources in the settings of the injector, for example the service mesh.',
    )
  }
  // A Knative Service may leave out the name of its only container, which then runs as user-container.
  const [only, second] = containers.filter(({ list }) => list === 'containers')
  if (only?.name === '' && !second && apiVersion.startsWith('serving.knative.dev/')) return only
  return refuse(
    'container_not_found',
    `Container ${JSON.stringify(name)} was renamed or removed. Wait for the next analysis.`,
  )
}

/** A JSON patch fails as a whole if it removes a field that does not exist. */
const isAbsent = ({ requestKeys, limitKeys }: LiveContainer, { section, resource, to }: ResourceChange) =>
  to === null && !(section === 'requests' ? requestKeys : limitKeys).includes(resource)

function follow(draft: WorkloadDraft, container: LiveContainer, change: ResourceChange): WorkloadDraft | Refusal {
  const { section, resource, to } = change
  if (to === null) return draft
  if (!isSized(resource)) return followExtended(draft, container, change)
  const value = parseSize(resource, to) ?? 0
  if (section === 'requests') return followLimit(draft, container, resource, value)
  const request = sizeOf(sizesAfter(draft, container, 'requests'), resource)
  // A container without a request requests its limit.
  if (request === null || value >= request || !container.requestKeys.includes(resource)) return draft
  return refuse(
    'limit_below_request',
    `The container requests ${describeSize(resource, request)}. Lower the request first.`,
  )
}

/** Keeps the request at or below the limit, and a Guaranteed pod Guaranteed. All other limits stay unchanged. */
function followLimit(
  draft: WorkloadDraft,
  container: LiveContainer,
  resource: SizedResource,
  request: number,
): WorkloadDraft | Refusal {
  const limit = sizeOf(sizesAfter(draft, container, 'limits'), resource)
  if (limit === null) return draft
  const isGuaranteed = isMeantGuaranteed(draft.live)
  if (request <= limit && !isGuaranteed) return draft
  if (!container.limitKeys.includes(resource)) {
    if (request <= limit) return draft
    return refuse(
      'limit_range',
      `The LimitRange sets a default limit of ${describeSize(resource, limit)}. Set a limit in the manifest first.`,
    )
  }
  const before = sizeOf(container.requests, resource)
  const ratio = isGuaranteed || !before ? 1 : Math.max(1, limit / before)
  const to = formatSize(resource, roundUp(resource, request * ratio))
  return withChange(draft, container, { section: 'limits', resource, to, isConsequence: true })
}

const roundUp = (resource: SizedResource, value: number) =>
  resource === 'cpu' ? Math.ceil(value) : Math.ceil(value / 1024) * 1024

/** Kubernetes requires equal requests and limits for extended resources. */
function followExtended(draft: WorkloadDraft, container: LiveContainer, { section, resource, to }: ResourceChange) {
  if (!resource.includes('/')) return draft
  const other = section === 'requests' ? 'limits' : 'requests'
  const keys = other === 'limits' ? container.limitKeys : container.requestKeys
  return keys.includes(resource)
    ? withChange(draft, container, { section: other, resource, to, isConsequence: true })
    : draft
}

/** The manifest sets requests equal to the limits. Limits without requests do not decide about requests. */
const isMeantGuaranteed = (live: LiveWorkload) =>
  isGuaranteedPod(live) &&
  live.containers.every(({ requestKeys }) => requestKeys.includes('cpu') && requestKeys.includes('memory'))

/** The QoS class Guaranteed: every container requests exactly its limits. */
export function isGuaranteedPod({ containers }: LiveWorkload): boolean {
  return containers.every(({ requests, limits }) =>
    (['cpu', 'memory'] as const).every((resource) => {
      const limit = sizeOf(limits, resource)
      return limit !== null && sizeOf(requests, resource) === limit
    }),
  )
}
