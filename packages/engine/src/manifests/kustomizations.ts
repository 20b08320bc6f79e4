import { groupBy } from '../group-by.ts'
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
 * Each cluster has its own kustomization. Each namespace with duplicate workload names also has its own, unless they
 * are known to be built together: a component would change all of them. Only the reader knows their paths. A single
 * kustomization is the current directory.
 */
export function kustomizationsOf(patches: readonly ObjectPatch[]): (patch: ObjectPatch) => Kustomization {
  const strangers = namesakesOf(patches).flatMap(({ same, manager }) => (manager ? [] : same))
  const apart = new Set(strangers.map(spaceOf))
  const keyOf = (patch: ObjectPatch) => (apart.has(spaceOf(patch)) ? spaceOf(patch) : patch.target.clusterId)
  const all = [...groupBy(patches, keyOf)].flatMap(([key, [first]]) => (first ? [{ key, first }] : []))
  if (all.length < 2) return () => here
  const endings = endingsFor(
    all.map(({ key, first: { clusterName, target } }) => ({
      key,
      names: apart.has(key) ? [target.namespace, `${clusterName} ${target.namespace}`] : [clusterName, clusterName],
    })),
  )
  const known = new Map(
    all.map(({ key, first: { clusterName, target } }) => {
      const space = apart.has(key) ? `namespace ${target.namespace} of ` : ''
      return [key, kustomization(`${space}cluster ${clusterName}`, endings.get(key) ?? '')]
    }),
  )
  return (patch) => known.get(keyOf(patch)) ?? here
}

function kustomization(whose: string, ending: string): Kustomization {
  const variable = `DIR${ending}`
  const hint = ` First set ${variable} to the directory with kustomization.yaml and plimsoll.`
  return { word: guarded(variable), needs: [variable], name: `the directory of ${whose}`, hint, ending }
}
