import type { LiveContainer, LiveWorkload, Sizes } from './live-workload.ts'
import type { ContainerPatch, ResourceChange, ResourceSection } from './object-patch.ts'
import { isSized, parseSize, sizeOf, withSize, type SizedResource } from './quantities.ts'

/** The changes collected for one workload. Immutable, so that a rejected addition has no effect. */
export type WorkloadDraft = {
  readonly live: LiveWorkload
  readonly changes: ReadonlyMap<LiveContainer, readonly ResourceChange[]>
  /** The sizes of changed containers after the change; every check uses it. */
  readonly after: ReadonlyMap<LiveContainer, Readonly<Record<ResourceSection, Sizes>>>
}

export const emptyDraft = (live: LiveWorkload): WorkloadDraft => ({ live, changes: new Map(), after: new Map() })

export const changesOf = ({ changes }: WorkloadDraft, container: LiveContainer) => changes.get(container) ?? []

export const findChange = (
  draft: WorkloadDraft,
  container: LiveContainer,
  { section, resource }: { section: ResourceSection; resource: string },
) => changesOf(draft, container).find((each) => each.section === section && each.resource === resource)

/** A later change of the same field replaces the earlier one. */
export function withChange(draft: WorkloadDraft, container: LiveContainer, change: ResourceChange): WorkloadDraft {
  const others = changesOf(draft, container).filter(
    ({ section, resource }) => section !== change.section || resource !== change.resource,
  )
  const sorted = [...others, change].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  const after = { requests: sizesWith(container, sorted, 'requests'), limits: sizesWith(container, sorted, 'limits') }
  return {
    ...draft,
    changes: new Map(draft.changes).set(container, sorted),
    after: new Map(draft.after).set(container, after),
  }
}

/** Requests first. */
const orderOf = ({ section, resource }: ResourceChange) => `${section === 'requests' ? 0 : 1} ${resource}`

/** The sizes that the pods will have. */
export const sizesAfter = ({ after }: WorkloadDraft, container: LiveContainer, section: ResourceSection): Sizes =>
  (after.get(container) ?? container)[section]

function sizesWith(container: LiveContainer, changes: readonly ResourceChange[], section: ResourceSection): Sizes {
  let sizes = container[section]
  for (const change of changes) {
    if (change.section !== section || !isSized(change.resource)) continue
    const value = change.to === null ? null : (parseSize(change.resource, change.to) ?? null)
    sizes = withSize(sizes, change.resource, value)
  }
  return sizes
}

export type SizesOf = (container: LiveContainer) => Sizes

/** The sum over the running containers of a pod; null: a container does not set it. */
export function sumOfPod({ containers }: LiveWorkload, resource: SizedResource, sizes: SizesOf): number | null {
  const running = containers.filter(({ list, isSidecar }) => list === 'containers' || isSidecar)
  let sum = 0
  for (const container of running) {
    const value = sizeOf(sizes(container), resource)
    if (value === null) return null
    sum += value
  }
  return sum
}

export function containerPatches({ live, changes }: WorkloadDraft): ContainerPatch[] {
  return live.containers.flatMap((container) => {
    const own = changes.get(container)
    return own ? [{ container, changes: own }] : []
  })
}
