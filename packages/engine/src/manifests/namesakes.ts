import { groupBy } from '../group-by.ts'
import { keepersOf, type Keeper } from './keepers.ts'
import type { NamedTarget, ObjectPatch } from './object-patch.ts'

export type Namesakes = {
  readonly same: readonly ObjectPatch[]
  /** The named Application or Kustomization that builds all of them; null: there are several, or nobody knows. */
  readonly keeper: Keeper | null
}

/** Targets do not name the namespace, so the component of one namespace would change what has the same name in another. */
export function namesakesOf(patches: readonly ObjectPatch[]): Namesakes[] {
  const groups = [...groupBy(patches, ({ target }) => nameKey(target)).values()].filter((same) => same.length > 1)
  if (groups.length === 0) return []
  const keeperOf = keepersIn(patches)
  return onlyWhollyTogether(groups.map((same) => ({ same, keeper: commonOf(same.map(keeperOf)) })))
}

/** A component holds a whole namespace: where it must stay away from one namesake, it is in no build with another. */
function onlyWhollyTogether(all: readonly Namesakes[]): Namesakes[] {
  const apart = new Set(all.flatMap(({ same, keeper }) => (keeper ? [] : same.map(spaceOf))))
  const isTorn = ({ same, keeper }: Namesakes) => keeper !== null && same.some((patch) => apart.has(spaceOf(patch)))
  return all.some(isTorn)
    ? onlyWhollyTogether(all.map((each) => (isTorn(each) ? { ...each, keeper: null } : each)))
    : [...all]
}

export const spaceOf = ({ target: { clusterId, namespace } }: ObjectPatch) => [clusterId, namespace].join('\n')

export const nameKey = ({ clusterId, kind, name }: NamedTarget) => [clusterId, kind, name].join('\n')

/**
 * What is built at once has its namespaces already where a component reaches it, so there a target can name its own, and has
 * to: both components are in that build.
 */
export const builtTogetherOf = (patches: readonly ObjectPatch[]): ReadonlySet<ObjectPatch> =>
  new Set(namesakesOf(patches).flatMap(({ same, keeper }) => (keeper ? same : [])))

/** What is changed along with a workload, such as its autoscaler, tells nothing of itself and is kept by the same. */
function keepersIn(patches: readonly ObjectPatch[]): (patch: ObjectPatch) => Keeper | null {
  const byId = new Map(
    patches
      .filter(({ live }) => live !== null)
      .flatMap((patch) => patch.recommendationIds.map((id) => [id, namedKeeper(patch)])),
  )
  return (patch) => (patch.live ? namedKeeper(patch) : (byId.get(patch.recommendationIds[0] ?? '') ?? null))
}

const namedKeeper = (patch: ObjectPatch): Keeper | null => keepersOf(patch).find(({ name }) => name !== '') ?? null

function commonOf([first = null, ...others]: readonly (Keeper | null)[]): Keeper | null {
  return first && others.every((other) => other?.key === first.key) ? first : null
}
