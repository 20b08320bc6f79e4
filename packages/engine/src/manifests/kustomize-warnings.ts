import { groupBy } from '../group-by.ts'
import type { GitOpsManager } from './gitops-managers.ts'
import { fitsOneOverlay, idsOf, isOverlay } from './write-kustomize.ts'
import type { ManifestFile } from './manifest-file.ts'
import { nameKey, namesakesOf } from './namesakes.ts'
import type { NamedTarget, ObjectPatch } from './object-patch.ts'
import type { Warning } from './skips.ts'
import type { WrittenIndex } from './written-index.ts'

export const kustomizeWarnings = (written: WrittenIndex, base: string | null): Warning[] => [
  ...sameNames(written),
  ...written.files.filter(isOverlay).map(overlayWarning),
  ...(base === null ? [] : missingOverlays(written.patches)),
]

/** Without a namespace in its target, a component changes every object with that name in the build. */
function sameNames({ patches, namesakes, selectedNamespacesOf }: WrittenIndex): Warning[] {
  const others = groupBy(namesakes, nameKey)
  const managers = new Map(
    namesakesOf(patches).flatMap(({ same: [first], manager }) => (first ? [[first, manager]] : [])),
  )
  return [...groupBy(patches, ({ target }) => nameKey(target)).values()].flatMap((same): Warning[] => {
    const [first] = same
    if (!first) return []
    const manager = managers.get(first)
    const spaces = spacesOf([...same.map(({ target }) => target), ...(others.get(nameKey(first.target)) ?? [])])
    if (spaces.length < 2) return []
    const message = manager ? togetherMessage(same, manager) : apartMessage(same, spaces, selectedNamespacesOf(first))
    const recommendationIds = same.flatMap((patch) => patch.recommendationIds)
    return [{ code: 'same_name_in_namespaces', message, recommendationIds }]
  })
}

function apartMessage(
  same: readonly ObjectPatch[],
  spaces: readonly string[],
  selected: readonly string[] | undefined,
): string {
  const overlay = same.length > 1 ? ' Plimsoll writes no overlay for them.' : ''
  return `${nameOf(same)} exists in the namespaces ${spaces.join(', ')}. ${targetWords(selected)}${overlay}`
}

function targetWords(selected: readonly string[] | undefined): string {
  if (!selected)
    return 'A component changes every namespace that its kustomization builds: add each component only to the kustomization of its namespace.'
  return selected.includes('')
    ? 'Each target selects the objects of its namespace and objects without a namespace. If a build contains both, the check prints "No". Then add the namespace to the object in Git.'
    : 'One of the workloads is in namespace `default`, so each target selects its own namespace only. If the build sets no namespace, the target matches no object and the check prints "No". Then add the namespace to the object in Git.'
}

function togetherMessage(same: readonly ObjectPatch[], { kind, name }: GitOpsManager): string {
  const spaces = spacesOf(same.map(({ target }) => target)).join(', ')
  return `${nameOf(same)} exists in the namespaces ${spaces}, and the ${kind} ${name} builds all of them. Each target therefore names its namespace. If the kustomization that lists the component sets the namespace, the component does not find the workload: run the check. Plimsoll writes no overlay for them.`
}

/** Duplicate names have their own warning. */
const missingOverlays = (patches: readonly ObjectPatch[]): Warning[] =>
  [...groupBy(patches, ({ clusterName }) => clusterName)]
    .filter(([, own]) => !fitsOneOverlay(own) && namesakesOf(own).length === 0)
    .map(([clusterName, own]) => ({
      code: 'overlay_not_written',
      message: `Cluster ${clusterName}: several Applications or Kustomizations deploy these workloads, and only one can build an overlay. Add the components instead, or request an overlay for each.`,
      recommendationIds: idsOf(own),
    }))

const nameOf = ([first]: readonly ObjectPatch[]) => (first ? `${first.target.kind} ${first.target.name}` : '')

const spacesOf = (targets: readonly NamedTarget[]) => [...new Set(targets.map(({ namespace }) => namespace))].sort()

/** Components and values files accumulate. There is one overlay only, because two would both build everything. */
function overlayWarning({ path, recommendationIds }: ManifestFile): Warning {
  const message = `${path}: this file replaces the overlay of an earlier manifest and drops its components. Keep the components of the earlier overlay above the new components.`
  return { code: 'overlay_replaced', message, recommendationIds }
}
