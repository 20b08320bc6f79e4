import { addedResources } from './json-patch.ts'
import { containerListsOf, templatePathOf, type ObjectPatch } from './object-patch.ts'
import { shortHash } from './short-hash.ts'
import { setAt, type ManifestDocument } from './strategic-merge.ts'

/** Only what is to be set, for `kubectl apply --server-side`: each field that is not named stays as it is. */
export function writePartialManifest(patch: ObjectPatch): ManifestDocument {
  const { target, containers } = patch
  const document: ManifestDocument = {
    apiVersion: target.apiVersion,
    kind: target.kind,
    metadata: { name: target.name, ...(target.namespace === '' ? {} : { namespace: target.namespace }) },
  }
  for (const { path, to } of patch.fields) setAt(document, path, to)
  for (const list of containerListsOf(patch)) {
    const own = containers.filter(({ container }) => container.list === list)
    const entries = own.map(({ container, changes }) => ({ name: container.name, resources: addedResources(changes) }))
    setAt(document, [...(templatePathOf(target) ?? []), list], entries)
  }
  return document
}

/**
 * What a manager applied before and does not name now is removed. Two manifests about different fields of one workload must
 * therefore not share a manager: each set of fields has its own.
 */
export function fieldManagerOf({ containers, fields }: ObjectPatch): string {
  const names = containers.flatMap(({ container, changes }) =>
    changes.map(({ section, resource }) => [container.name, section, resource].join(' ')),
  )
  return `plimsoll-${shortHash([...names, ...fields.map(({ path }) => path.join('.'))].join('\n'))}`
}
