import type { Target } from '../../rules/finding.ts'
import { shellWord } from '../safe-text.ts'
import { guarded } from '../shell-variables.ts'

/** One step that a person runs in a shell. */
export type CommandStep = {
  readonly title: string
  readonly commands: readonly string[]
  /** What to check or set before, and what else to change; empty: nothing. */
  readonly note: string
}

/** The cluster of the commands. Only the reader knows the kubectl context and the name of the cluster at the provider. */
export type CommandCluster = {
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

/** A file of the reader, named after the object. */
export const backupFile = ({ kind, name }: Pick<Target, 'kind' | 'name'>) =>
  shellWord(`${kind.toLowerCase()}-${name}.yaml`)

/** Applies an object that is written in the command, so the reader needs no file. */
export const applied = (cluster: CommandCluster, object: object) =>
  `printf '%s' ${shellWord(JSON.stringify(object))} | ${kubectl(cluster)} apply -f -`

export const gitNote = 'If Argo CD, Flux or Helm manages the object, make the same change in its source.'
