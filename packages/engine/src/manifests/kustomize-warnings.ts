import { groupBy } from '../group-by.ts'
import { isOverlay, nameKey } from './kustomize.ts'
import type { ManifestFile } from './manifest-file.ts'
import type { NamedTarget, ObjectPatch } from './object-patch.ts'
import type { Warning } from './skips.ts'

export const kustomizeWarnings = (
  patches: readonly ObjectPatch[],
  files: readonly ManifestFile[],
  namesakes: readonly NamedTarget[],
): Warning[] => [...sameNames(patches, namesakes), ...files.filter(isOverlay).map(overlayWarning)]

/** Targets do not name the namespace, so a component changes whatever is called so in what a kustomization builds. */
function sameNames(patches: readonly ObjectPatch[], known: readonly NamedTarget[]): Warning[] {
  const others = groupBy(known, nameKey)
  return [...groupBy(patches, ({ target }) => nameKey(target)).values()].flatMap((same): Warning[] => {
    const [first] = same
    if (!first) return []
    const { kind, name } = first.target
    const all = [...same.map(({ target }) => target), ...(others.get(nameKey(first.target)) ?? [])]
    const spaces = [...new Set(all.map(({ namespace }) => namespace))].sort()
    if (spaces.length < 2) return []
    const overlay = same.length > 1 ? ' There is no overlay over them.' : ''
    const message = `${kind} ${name} is in the namespaces ${spaces.join(', ')}, and a component changes it in all that its kustomization builds: add each component only to the kustomization of its own.${overlay}`
    const recommendationIds = same.flatMap((patch) => patch.recommendationIds)
    return [{ code: 'same_name_in_namespaces', message, recommendationIds }]
  })
}

/** Components and values lie beside earlier ones; there is one overlay, because two would each build everything. */
function overlayWarning({ path, recommendationIds }: ManifestFile): Warning {
  const message = `${path}: an overlay of an earlier manifest is replaced, and what only its components changed would be undone. Keep its lines of components, above those of this one.`
  return { code: 'overlay_replaced', message, recommendationIds }
}
