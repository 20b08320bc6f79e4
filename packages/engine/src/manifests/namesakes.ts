import { groupBy } from '../group-by.ts'
import { managersIn, managersOf, type GitOpsManager } from './gitops-managers.ts'
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
  const managerOf = managersIn(patches, namedManagerOf)
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

/** The namespaces that the target of a patch selects; an empty one: objects without a namespace. Undefined: all. */
export type SelectNamespaces = (patch: ObjectPatch) => readonly string[] | undefined

/**
 * Objects of one build already have their namespaces when a component reaches them, so a target names its namespace. If
 * nothing shows that they are built together, the target also selects objects without a namespace: many kustomizations
 * leave the namespace to the deployer. kustomize treats these as namespace `default`, so a duplicate there excludes them.
 */
export function selectNamespaces(patches: readonly ObjectPatch[], known: readonly NamedTarget[]): SelectNamespaces {
  const others = groupBy(known, nameKey)
  const groups = namesakesOf(patches)
  const groupOf = new Map(groups.flatMap((group) => group.same.map((patch) => [patch, group] as const)))
  const managerOf = managersIn(patches, namedManagerOf)
  const select = (patch: ObjectPatch): readonly string[] | undefined => {
    const { namespace } = patch.target
    const group = groupOf.get(patch)
    if (group?.manager) return [namespace]
    const outside = others.get(nameKey(patch.target)) ?? []
    const isApart = group === undefined || haveOwnManagers(group.same.map(managerOf))
    if (outside.length === 0 && isApart) return undefined
    const spaces = [...outside, ...(group?.same ?? []).map(({ target }) => target)].map((each) => each.namespace)
    return namespace !== 'default' && spaces.includes('default') ? [namespace] : ['', namespace]
  }
  // The workloads of the cluster are known, their autoscalers are not: an autoscaler follows its workload.
  const byId = new Map(
    patches
      .filter(({ live }) => live !== null)
      .flatMap((patch) => patch.recommendationIds.map((id) => [id, select(patch)] as const)),
  )
  return (patch) => select(patch) ?? (patch.live ? undefined : byId.get(patch.recommendationIds[0] ?? ''))
}

/** Each is in a separate build. */
const haveOwnManagers = (managers: readonly (GitOpsManager | null)[]) =>
  managers.every((manager) => manager !== null) &&
  new Set(managers.map((manager) => manager?.key)).size === managers.length

const namedManagerOf = (patch: ObjectPatch): GitOpsManager | null =>
  managersOf(patch).find(({ name }) => name !== '') ?? null

function commonOf([first = null, ...others]: readonly (GitOpsManager | null)[]): GitOpsManager | null {
  return first && others.every((other) => other?.key === first.key) ? first : null
}
