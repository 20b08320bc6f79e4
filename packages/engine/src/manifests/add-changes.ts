import type { LiveContainer, LiveWorkload } from './live-workload.ts'
import type { ResourceChange } from './object-patch.ts'
import { formatSize, isSized, parseSize, sizeOf, type SizedResource } from './quantities.ts'
import { refuse, type Refusal } from './skips.ts'
import { findChange, sizesAfter, withChange, type WorkloadDraft } from './workload-draft.ts'

/** Adds what one recommendation wants of one container, and what has to follow so that limits still hold. */
export function addChanges(
  draft: WorkloadDraft,
  containerName: string,
  changes: readonly ResourceChange[],
): WorkloadDraft | Refusal {
  const container = findContainer(draft.live, containerName)
  if ('code' in container) return container
  let next = draft
  // Requests first: what follows from them is then replaced by what is said about limits.
  for (const change of changes.toSorted((a, b) => (a.section < b.section ? 1 : a.section > b.section ? -1 : 0))) {
    const other = findChange(draft, container, change)
    if (other && !other.isConsequence && other.to !== change.to) {
      return refuse(
        'conflicting_changes',
        `${change.section}.${change.resource} of container ${containerName} would be both ${other.to ?? 'removed'} and ${change.to ?? 'removed'}. Render the two apart.`,
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
  if (another) return refuse('container_ambiguous', 'Give the containers of the pod names of their own.')
  if (found) return found
  if (injected.includes(name)) {
    return refuse('container_not_in_template', 'Change it where it is injected, for example in the mesh’s settings.')
  }
  // A Knative Service may leave out the name of its only container, which then runs as user-container.
  const [only, second] = containers.filter(({ list }) => list === 'containers')
  if (only?.name === '' && !second && apiVersion.startsWith('serving.knative.dev/')) return only
  return refuse(
    'container_not_found',
    `Container ${JSON.stringify(name)} was renamed or removed. Wait for the next analysis.`,
  )
}

/** `remove` of what is not there would make the whole patch fail. */
const isAbsent = ({ requestKeys, limitKeys }: LiveContainer, { section, resource, to }: ResourceChange) =>
  to === null && !(section === 'requests' ? requestKeys : limitKeys).includes(resource)

function follow(draft: WorkloadDraft, container: LiveContainer, change: ResourceChange): WorkloadDraft | Refusal {
  const { section, resource, to } = change
  if (to === null) return draft
  if (!isSized(resource)) return followExtended(draft, container, change)
  const value = parseSize(resource, to) ?? 0
  if (section === 'requests') return followLimit(draft, container, resource, value)
  const request = sizeOf(sizesAfter(draft, container, 'requests'), resource)
  // A request that only stands for the limit moves with it.
  if (request === null || value >= request || !container.requestKeys.includes(resource)) return draft
  return refuse(
    'limit_below_request',
    `The container asks for ${formatSize(resource, request)} of ${resource}. Lower the request first.`,
  )
}

/** A request is never above its limit; a pod that is Guaranteed stays so; else limits stay as they are set. */
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
      `The namespace gives the container a limit of ${formatSize(resource, limit)}. Set a limit in its manifest first.`,
    )
  }
  const before = sizeOf(container.requests, resource)
  const ratio = isGuaranteed || !before ? 1 : Math.max(1, limit / before)
  const to = formatSize(resource, roundUp(resource, request * ratio))
  return withChange(draft, container, { section: 'limits', resource, to, isConsequence: true })
}

const roundUp = (resource: SizedResource, value: number) =>
  resource === 'cpu' ? Math.ceil(value) : Math.ceil(value / 1024) * 1024

/** Kubernetes wants both to be equal. */
function followExtended(draft: WorkloadDraft, container: LiveContainer, { section, resource, to }: ResourceChange) {
  if (!resource.includes('/')) return draft
  const other = section === 'requests' ? 'limits' : 'requests'
  const keys = other === 'limits' ? container.limitKeys : container.requestKeys
  return keys.includes(resource)
    ? withChange(draft, container, { section: other, resource, to, isConsequence: true })
    : draft
}

/** Somebody wrote requests that equal the limits; who writes limits alone has not decided about requests. */
const isMeantGuaranteed = (live: LiveWorkload) =>
  isGuaranteedPod(live) &&
  live.containers.every(({ requestKeys }) => requestKeys.includes('cpu') && requestKeys.includes('memory'))

/** Every container asks for exactly its limits: the last to be evicted. */
export function isGuaranteedPod({ containers }: LiveWorkload): boolean {
  return containers.every(({ requests, limits }) =>
    (['cpu', 'memory'] as const).every((resource) => {
      const limit = sizeOf(limits, resource)
      return limit !== null && sizeOf(requests, resource) === limit
    }),
  )
}
