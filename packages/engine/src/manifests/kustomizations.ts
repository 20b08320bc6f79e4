import { groupBy } from '../group-by.ts'
import { deployerOf, managersIn, type GitOpsManager } from './gitops-managers.ts'
import { namesakesOf, spaceOf } from './namesakes.ts'
import type { ObjectPatch } from './object-patch.ts'
import { endingsFor, guarded } from './shell-variables.ts'

/** The kustomization of the reader that gets a component: its word in commands, its text, and the variables to set. */
export type Kustomization = {
  readonly word: string
  /** Variables of the word. */
  readonly needs: readonly string[]
  readonly name: string
  readonly hint: string
  /** The suffix of its variables. */
  readonly ending: string
}

const here: Kustomization = { word: '.', needs: [], name: 'the current directory', hint: '', ending: '' }

/**
 * Each cluster has its own kustomization, and so has each named Application or Kustomization of Flux. Each namespace with duplicate workload names also has its own, unless they
 * are known to be built together: a component would change all of them. Only the reader knows their paths. A single
 * kustomization is the current directory.
 */
export function kustomizationsOf(patches: readonly ObjectPatch[]): (patch: ObjectPatch) => Kustomization {
  const strangers = namesakesOf(patches).flatMap(({ same, manager }) => (manager ? [] : same))
  const apart = new Set(strangers.map(spaceOf))
  const managerOf = managersIn(patches, deployerOf)
  const keyOf = (patch: ObjectPatch) =>
    apart.has(spaceOf(patch)) ? spaceOf(patch) : [patch.target.clusterId, managerOf(patch)?.key ?? ''].join(' ')
  const all = [...groupBy(patches, keyOf)].flatMap(([key, [first]]) =>
    first ? [{ key, first, space: apart.has(key) ? first.target.namespace : (managerOf(first)?.name ?? '') }] : [],
  )
  if (all.length < 2) return () => here
  const endings = endingsFor(
    all.map(({ key, first: { clusterName }, space }) => ({
      key,
      names: space === '' ? [clusterName, clusterName] : [space, `${clusterName} ${space}`],
    })),
  )
  const known = new Map(
    all.map(({ key, first, space }) => {
      const owner = apart.has(key) ? `namespace ${space} of ` : ownerWords(managerOf(first))
      return [key, kustomization(`${owner}cluster ${first.clusterName}`, endings.get(key) ?? '')]
    }),
  )
  return (patch) => known.get(keyOf(patch)) ?? here
}

const ownerWords = (manager: GitOpsManager | null) => (manager ? `${manager.kind} ${manager.name} of ` : '')

function kustomization(whose: string, ending: string): Kustomization {
  const variable = `DIR${ending}`
  const hint = ` Set ${variable} to the directory with kustomization.yaml and plimsoll.`
  return { word: guarded(variable), needs: [variable], name: `the directory of ${whose}`, hint, ending }
}
