import type { Target } from '../../rules/finding.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'
import { shortHash } from '../short-hash.ts'

/** One step that a person runs in a shell. */
export type CommandStep = {
  readonly title: string
  readonly commands: readonly string[]
  /** What to check or set before, and what else to change; empty: nothing. */
  readonly note: string
}

/** The cluster of the commands. Only the reader knows the kubectl context and the name of the cluster at the provider. */
export type CommandCluster = {
  readonly id: string
  readonly name: string
  /** As in the price list, such as `aws`. */
  readonly provider: string
  readonly region: string
  /** The shell variable with the kubectl context. */
  readonly contextVariable: string
}

/** The object of a change and its cluster. */
export type Commanded = { readonly object: Target; readonly cluster: CommandCluster }

/** kubectl must never use the current context by accident, so the shell stops without the variable. */
export const kubectl = ({ contextVariable }: CommandCluster) => `kubectl --context=${guarded(contextVariable)}`

export const inNamespace = (namespace: string) => (namespace === '' ? '' : ` -n ${shellWord(namespace)}`)

export const words = (texts: readonly string[]) => texts.map(shellWord).join(' ')

/** A file of the reader. Objects of the same name in other namespaces and clusters have other files. */
export function backupFile({ id }: CommandCluster, object: Omit<Target, 'container'>): string {
  const { kind, namespace, name } = object
  const parts = [kind.toLowerCase(), namespace, name.slice(0, 80), shortHash([id, kind, namespace, name].join('/'))]
  return shellWord(`${parts.filter((part) => part !== '').join('-')}.yaml`)
}

/** Saves objects. A failure keeps the file of an earlier run. */
export const saved = (cluster: CommandCluster, objects: string, file: string) =>
  `${kubectl(cluster)} get ${objects} -o yaml > ${file}.new && mv -f ${file}.new ${file}`

/** Takes the place of the snapshot name in an object for `created`. */
export const snapshotPlaceholder = '%s'

/** Creates an object that is written in the command, so the reader needs no file. Fails if the object exists. */
export function created(cluster: CommandCluster, object: object): string {
  const text = JSON.stringify(object)
  const print = text.includes(snapshotPlaceholder)
    ? `printf ${shellWord(text)} ${guarded('SNAPSHOT')}`
    : `printf '%s' ${shellWord(text)}`
  return `${print} | ${kubectl(cluster)} create -f -`
}

/** Cut names that would be equal stay different. */
export const cutName = (name: string, lengthMax: number) =>
  name.length <= lengthMax ? name : `${name.slice(0, lengthMax - 9).replace(/(?<![-.])[-.]+$/, '')}-${shortHash(name)}`

export const gitNote = 'If Argo CD, Flux or Helm manages the object, make the same change in its source.'
