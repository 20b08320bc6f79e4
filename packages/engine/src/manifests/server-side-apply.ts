import { addedResources } from './write-json-patch.ts'
import { containerListsOf, templatePathOf, type ObjectPatch } from './object-patch.ts'
import { shortHash } from './short-hash.ts'
import { setAt, type ManifestDocument } from './write-strategic-merge.ts'

/** Only the changed fields, for `kubectl apply --server-side`: all other fields stay unchanged. */
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
 * Server-side apply removes fields that a manager applied before and omits now. Manifests about different fields of one
 * workload therefore need different managers: each set of fields has its own.
 */
export function fieldManagerOf({ containers, fields }: ObjectPatch): string {
  const names = containers.flatMap(({ container, changes }) =>
    changes.map(({ section, resource }) => [container.name, section, resource].join(' ')),
  )
  return `plimsoll-${shortHash([...names, ...fields.map(({ path }) => path.join('.'))].join('\n'))}`
}
