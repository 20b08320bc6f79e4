import { addedResources } from './write-json-patch.ts'
import type { ContainerList } from './live-workload.ts'
import { containerListsOf, templatePathOf, type ObjectPatch } from './object-patch.ts'

export type ManifestDocument = Record<string, unknown>

/**
 * Each changed list is complete and in order, with unchanged containers by name only. kustomize reorders partial lists,
 * and the order of init containers matters. No `$setElementOrder`, which kustomize would leave in the output.
 */
export function writeStrategicMerge(patch: ObjectPatch): ManifestDocument {
  const { target } = patch
  const document: ManifestDocument = {
    apiVersion: target.apiVersion,
    kind: target.kind,
    metadata: { name: target.name },
  }
  for (const { path, to } of patch.fields) setAt(document, path, to)
  const template = templatePathOf(target) ?? []
  for (const list of containerListsOf(patch)) setAt(document, [...template, list], containersOf(patch, list))
  return document
}

function containersOf(patch: ObjectPatch, list: ContainerList): ManifestDocument[] {
  const all = patch.live?.containers.filter((container) => container.list === list) ?? []
  return all.map((container) => {
    const changes = patch.containers.find((each) => each.container === container)?.changes
    return { name: container.name, ...(changes ? { resources: addedResources(changes) } : {}) }
  })
}

/** Containers that are listed without a change. */
export function namesAlone({ live, containers }: ObjectPatch): string[] {
  const changed = new Set(containers.map(({ container }) => container))
  const lists = new Set(containers.map(({ container }) => container.list))
  const listed = live?.containers.filter(({ list }) => lists.has(list)) ?? []
  return listed.filter((container) => !changed.has(container)).map(({ name }) => name)
}

/** Sets the value at a path and creates missing parent objects. */
export function setAt(document: ManifestDocument, path: readonly (string | number)[], value: unknown): void {
  let at: ManifestDocument = document
  for (const part of path.slice(0, -1)) {
    const next = (Object.hasOwn(at, part) ? at[part] : undefined) ?? {}
    at[part] = next
    at = next as ManifestDocument
  }
  at[path.at(-1) ?? ''] = value
}
