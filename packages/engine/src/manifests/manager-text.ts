import { shellWord } from './safe-text.ts'
import { guarded } from './shell-variables.ts'

/** The name of an Argo CD or Flux object in a sentence and in a command, and the variable to set if the name is unknown. */
type ManagerText = { readonly name: string; readonly command: string; readonly hint: string }

export function applicationText(name: string | null, ending: string): ManagerText {
  if (name !== null) return { name: ` ${name}`, command: shellWord(name), hint: '' }
  const variable = `APPLICATION${ending}`
  return { name: '', command: guarded(variable), hint: ` Set ${variable} to the name of the Application.` }
}

type FluxObject = { readonly namespace: string; readonly name: string }

export function fluxText(
  kind: 'HelmRelease' | 'Kustomization',
  object: FluxObject | null,
  ending: string,
): ManagerText {
  if (object) {
    const { namespace, name } = object
    return { name: ` ${namespace}/${name}`, command: `${shellWord(name)} -n ${shellWord(namespace)}`, hint: '' }
  }
  const name = `${kind.toUpperCase()}${ending}`
  const namespace = `${kind.toUpperCase()}_NAMESPACE${ending}`
  return {
    name: '',
    command: `${guarded(name)} -n ${guarded(namespace)}`,
    hint: ` Set ${name} and ${namespace} to the name and namespace of the ${kind}.`,
  }
}

/** Advice for an Application with `spec.sources`: Argo CD then ignores `spec.source`. */
export const severalSources = (advice: string) => ` For an Application with several sources (spec.sources), ${advice}.`
