import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'

/** How an object of Argo CD or Flux is called: in a sentence, in a command, and what to set before where nobody knows. */
type KeeperWords = { readonly name: string; readonly command: string; readonly hint: string }

export function applicationWords(name: string | null, ending: string): KeeperWords {
  if (name !== null) return { name: ` ${name}`, command: shellWord(name), hint: '' }
  const variable = `APPLICATION${ending}`
  return { name: '', command: guarded(variable), hint: ` Set ${variable} to its name first.` }
}

type FluxObject = { readonly namespace: string; readonly name: string }

export function fluxWords(
  kind: 'HelmRelease' | 'Kustomization',
  object: FluxObject | null,
  ending: string,
): KeeperWords {
  if (object) {
    const { namespace, name } = object
    return { name: ` ${namespace}/${name}`, command: `${shellWord(name)} -n ${shellWord(namespace)}`, hint: '' }
  }
  const name = `${kind.toUpperCase()}${ending}`
  const namespace = `${kind.toUpperCase()}_NAMESPACE${ending}`
  return {
    name: '',
    command: `${guarded(name)} -n ${guarded(namespace)}`,
    hint: ` Set ${name} and ${namespace} to its name and namespace first.`,
  }
}

/** What to do with lines of `spec.source` where an Application has a list instead: Argo CD then ignores the single one. */
export const severalSources = (advice: string) =>
  ` Where it has several sources (spec.sources, not spec.source), ${advice}.`
