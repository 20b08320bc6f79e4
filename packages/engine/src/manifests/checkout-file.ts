import { describeTarget, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { endingsFor, guarded } from './shell-variables.ts'

/** Prints parts of manifests without a cluster: the patch is empty. */
export const offline = `kubectl patch --local -f - --type=merge -p '{}'`

/** Which variable holds where the manifest of an object lies; of several objects each has its own. */
export function fileVariablesOf(patches: readonly ObjectPatch[]): (patch: ObjectPatch) => string {
  if (patches.length < 2) return () => 'FILE'
  const keys = new Map(patches.map((patch, index) => [patch, String(index)]))
  const endings = endingsFor(patches.map((patch) => ({ key: keys.get(patch) ?? '', names: namesOf(patch) })))
  return (patch) => `FILE${endings.get(keys.get(patch) ?? '') ?? ''}`
}

function namesOf({ clusterName, target: { namespace, kind, name } }: ObjectPatch): string[] {
  return [
    name,
    `${kind} ${name}`,
    `${namespace} ${name}`,
    `${namespace} ${kind} ${name}`,
    `${clusterName} ${name}`,
    `${clusterName} ${namespace} ${kind} ${name}`,
  ]
}

/** Namespaces that a manifest of the object may name: Git often leaves it to whatever brings the manifest into the cluster. */
export const namespacesOf = ({ namespace }: ManifestTarget) => [...new Set(['', namespace])]

/** Alternatives of a shell's `case`, each taken as it is. */
export const anyOf = (words: readonly string[]) => words.map(shellWord).join('|')

/** Says why on the error output, and fails. */
export const failWith = (word: string) => `printf '%s\\n' ${word} >&2; false`

/**
 * Merges patch whatever they are given: another object would be renamed, and every document of a file would be changed. So
 * the file is looked at first, and what cannot be patched is left as it was.
 */
export function patchFileCommand(target: ManifestTarget, variable: string, patching: string): string {
  const file = `"$${variable}"`
  const copy = `"$${variable}.new"`
  const object = describeTarget(target)
  const held = `$(${offline} -o jsonpath='{.kind} {.metadata.name} {.metadata.namespace};' < ${file})`
  const right = anyOf(namespacesOf(target).map((namespace) => `${target.kind} ${target.name} ${namespace};`))
  const change = `kubectl patch --local -f - ${patching} -o yaml < ${file} > ${copy} && mv ${copy} ${file} || { rm -f ${copy}; false; }`
  const several = `"$${variable} contains several objects and was not changed. Move ${object} to a separate file, or use kustomize."`
  const other = `"$${variable} is not the manifest of ${object} and was not changed."`
  return [
    `: ${guarded(variable)} && case "${held}" in`,
    `${right}) ${change};;`,
    `*';'*';'*) ${failWith(several)};;`,
    `*) ${failWith(other)};;`,
    'esac',
  ].join(' ')
}
