import { describeTarget, type ManifestTarget, type ObjectPatch } from './object-patch.ts'
import { shellWord } from './safe-text.ts'
import { endingsFor, guarded } from './shell-variables.ts'

/** Prints parts of manifests without a cluster: the patch is empty. */
export const offline = `kubectl patch --local -f - --type=merge -p '{}'`

/** The shell variable with the path of the manifest of an object; each object has its own. */
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

/** Namespaces that the manifest may name. Git often omits the namespace and leaves it to the deployer. */
export const namespacesOf = ({ namespace }: ManifestTarget) => [...new Set(['', namespace])]

/** Alternatives of a shell `case`, each taken literally. */
export const anyOf = (words: readonly string[]) => words.map(shellWord).join('|')

/** Prints the reason to stderr and fails. */
export const failWith = (word: string) => `printf '%s\\n' ${word} >&2; false`

/**
 * A merge patches any input: it would rename another object and change every document of a file. So the file is checked
 * first, and an unsuitable file stays unchanged.
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
