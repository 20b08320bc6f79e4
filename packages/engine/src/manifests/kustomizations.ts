import { groupBy } from '../group-by.ts'
import { namesakesOf, spaceOf } from './namesakes.ts'
import type { ObjectPatch } from './object-patch.ts'
import { endingsFor, guarded } from './shell-variables.ts'

/** The reader's kustomization that gets a component: as a word of commands, in a sentence, and what to set before. */
export type Kustomization = {
  readonly word: string
  /** Variables of the word. */
  readonly needs: readonly string[]
  readonly name: string
  readonly hint: string
  /** What the variables about it end with. */
  readonly ending: string
}

const here: Kustomization = { word: '.', needs: [], name: 'the current directory', hint: '', ending: '' }

/**
 * Each cluster has its own, and so has each namespace whose workloads have namesakes in another: a component would change
 * them all, unless it is known that they are built together. Only the reader knows where these lie; a single one is where they are.
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
