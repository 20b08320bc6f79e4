import { groupBy } from '../group-by.ts'
import type { ObjectPatch } from './object-patch.ts'
import { shortHash } from './short-hash.ts'
import type { Warning } from './skips.ts'

type Context = {
  /** Of the reader's shell: nobody here knows what a cluster is called in their kubeconfig. */
  readonly variable: string
  readonly clusterName: string
  readonly recommendationIds: readonly string[]
}

/** Of each cluster, where there are several; a single one is the one that the reader has chosen. */
export function contextsOf(patches: readonly ObjectPatch[]): ReadonlyMap<string, Context> {
  const clusters = [...groupBy(patches, ({ target }) => target.clusterId)]
  if (clusters.length < 2) return new Map()
  const named = clusters.map(([clusterId, own]) => ({ clusterId, own, clusterName: own[0]?.clusterName ?? '' }))
  const sameName = groupBy(named, ({ clusterName }) => variableFor(clusterName))
  return new Map(
    named.map(({ clusterId, clusterName, own }) => {
      const name = variableFor(clusterName)
      // Two clusters must never share a variable.
      const isShared = (sameName.get(name)?.length ?? 0) > 1
      return [
        clusterId,
        {
          variable: isShared ? `${name}_${shortHash(clusterId).toUpperCase()}` : name,
          clusterName,
          recommendationIds: [...new Set(own.flatMap(({ recommendationIds }) => recommendationIds))],
        },
      ]
    }),
  )
}

const variableFor = (clusterName: string) =>
  `CONTEXT_FOR_${
    clusterName
      .toUpperCase()
      .match(/[A-Z0-9]+/g)
      ?.join('_') ?? 'CLUSTER'
  }`

export const contextWarnings = (patches: readonly ObjectPatch[]): Warning[] =>
  [...contextsOf(patches).values()].map(({ variable, clusterName, recommendationIds }) => ({
    code: 'context_to_set',
    message: `Cluster ${clusterName}: set ${variable} to what your kubeconfig calls it (kubectl config get-contexts lists the names) before you run commands for it. Without it they stop and change nothing.`,
    recommendationIds,
  }))
