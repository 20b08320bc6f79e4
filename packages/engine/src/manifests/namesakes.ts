import { groupBy } from '../group-by.ts'
import { managersOf, type GitOpsManager } from './gitops-managers.ts'
import type { NamedTarget, ObjectPatch } from './object-patch.ts'

export type Namesakes = {
  readonly same: readonly ObjectPatch[]
  /** The named Application or Kustomization that builds all of them; null: several, or unknown. */
  readonly manager: GitOpsManager | null
}

/**
 * Targets do not name the namespace, so the component of one namespace would change objects of the same name in
 * another.
 */
export function namesakesOf(patches: readonly ObjectPatch[]): Namesakes[] {
  const groups = [...groupBy(patches, ({ target }) => nameKey(target)).values()].filter((same) => same.length > 1)
  if (groups.length === 0) return []
  const managerOf = managersIn(patches)
  return onlyWhollyTogether(groups.map((same) => ({ same, manager: commonOf(same.map(managerOf)) })))
}

/** A component holds a whole namespace: if it must not reach one duplicate name, it shares no build with another. */
function onlyWhollyTogether(all: readonly Namesakes[]): Namesakes[] {
  const apart = new Set(all.flatMap(({ same, manager }) => (manager ? [] : same.map(spaceOf))))
  const isTorn = ({ same, manager }: Namesakes) => manager !== null && same.some((patch) => apart.has(spaceOf(patch)))
  return all.some(isTorn)
    ? onlyWhollyTogether(all.map((each) => (isTorn(each) ? { ...each, manager: null } : each)))
    : [...all]
}

export const spaceOf = ({ target: { clusterId, namespace } }: ObjectPatch) => [clusterId, namespace].join('\n')

export const nameKey = ({ clusterId, kind, name }: NamedTarget) => [clusterId, kind, name].join('\n')

/**
 * Objects of one build already have their namespaces when a component reaches them. A target can then name its
 * namespace, and must, because both components are in the build.
 */
export const builtTogetherOf = (patches: readonly ObjectPatch[]): ReadonlySet<ObjectPatch> =>
  new Set(namesakesOf(patches).flatMap(({ same, manager }) => (manager ? same : [])))

/** An object that is changed along with a workload, such as its autoscaler, has the same manager. */
function managersIn(patches: readonly ObjectPatch[]): (patch: ObjectPatch) => GitOpsManager | null {
  const byId = new Map(
    patches
      .filter(({ live }) => live !== null)
      .flatMap((patch) => patch.recommendationIds.map((id) => [id, namedManager(patch)])),
  )
  return (patch) => (patch.live ? namedManager(patch) : (byId.get(patch.recommendationIds[0] ?? '') ?? null))
}

const namedManager = (patch: ObjectPatch): GitOpsManager | null =>
  managersOf(patch).find(({ name }) => name !== '') ?? null

function commonOf([first = null, ...others]: readonly (GitOpsManager | null)[]): GitOpsManager | null {
  return first && others.every((other) => other?.key === first.key) ? first : null
}
