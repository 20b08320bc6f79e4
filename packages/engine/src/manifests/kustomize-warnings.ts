import { groupBy } from '../group-by.ts'
import type { GitOpsManager } from './gitops-managers.ts'
import { isOverlay } from './write-kustomize.ts'
import type { ManifestFile } from './manifest-file.ts'
import { nameKey, namesakesOf } from './namesakes.ts'
import type { NamedTarget, ObjectPatch } from './object-patch.ts'
import type { Warning } from './skips.ts'

export const kustomizeWarnings = (
  patches: readonly ObjectPatch[],
  files: readonly ManifestFile[],
  namesakes: readonly NamedTarget[],
): Warning[] => [...sameNames(patches, namesakes), ...files.filter(isOverlay).map(overlayWarning)]

/** Targets do not name the namespace, so a component changes every object with that name in the build. */
function sameNames(patches: readonly ObjectPatch[], known: readonly NamedTarget[]): Warning[] {
  const others = groupBy(known, nameKey)
  const managers = new Map(
    namesakesOf(patches).flatMap(({ same: [first], manager }) => (first ? [[first, manager]] : [])),
  )
  return [...groupBy(patches, ({ target }) => nameKey(target)).values()].flatMap((same): Warning[] => {
    const [first] = same
    if (!first) return []
    const manager = managers.get(first)
    const message = manager
      ? togetherMessage(same, manager)
      : apartMessage(same, others.get(nameKey(first.target)) ?? [])
    const recommendationIds = same.flatMap((patch) => patch.recommendationIds)
    return message === '' ? [] : [{ code: 'same_name_in_namespaces', message, recommendationIds }]
  })
}

function apartMessage(same: readonly ObjectPatch[], others: readonly NamedTarget[]): string {
  const spaces = spacesOf([...same.map(({ target }) => target), ...others])
  const overlay = same.length > 1 ? ' Plimsoll writes no overlay for them.' : ''
  return spaces.length < 2
    ? ''
    : `${nameOf(same)} exists in the namespaces ${spaces.join(', ')}. A component changes every namespace that its kustomization builds: add each component only to the kustomization of its namespace.${overlay}`
}

function togetherMessage(same: readonly ObjectPatch[], { tool, name }: GitOpsManager): string {
  const spaces = spacesOf(same.map(({ target }) => target)).join(', ')
  const object = tool === 'argocd' ? 'Application' : 'Kustomization'
  return `${nameOf(same)} exists in the namespaces ${spaces}, and the ${object} ${name} builds all of them. Each target therefore names its namespace. If the kustomization that lists the component sets the namespace, the component does not find the workload: run the check. Plimsoll writes no overlay for them.`
}

const nameOf = ([first]: readonly ObjectPatch[]) => (first ? `${first.target.kind} ${first.target.name}` : '')

const spacesOf = (targets: readonly NamedTarget[]) => [...new Set(targets.map(({ namespace }) => namespace))].sort()

/** Components and values files accumulate. There is one overlay only, because two would both build everything. */
function overlayWarning({ path, recommendationIds }: ManifestFile): Warning {
  const message = `${path}: this file replaces the overlay of an earlier manifest and drops its components. Keep the components of the earlier overlay above the new components.`
  return { code: 'overlay_replaced', message, recommendationIds }
}
