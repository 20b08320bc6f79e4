import { groupBy } from '../group-by.ts'
import type { ObjectPatch } from './object-patch.ts'
import { endingsFor } from './shell-variables.ts'
import type { Warning } from './skips.ts'

type Context = {
  /** A variable of the shell of the reader, because only the reader knows the context name of a cluster. */
  readonly variable: string
  readonly clusterName: string
  readonly recommendationIds: readonly string[]
}

/** One context per cluster if there are several; a single cluster uses the current context. */
export function contextsOf(patches: readonly ObjectPatch[]): ReadonlyMap<string, Context> {
  const clusters = [...groupBy(patches, ({ target }) => target.clusterId)]
  if (clusters.length < 2) return new Map()
  const named = clusters.map(([key, own]) => ({ key, own, names: [own[0]?.clusterName ?? ''] }))
  const endings = endingsFor(named)
  return new Map(
    named.map(({ key, own, names: [clusterName = ''] }) => {
      const recommendationIds = [...new Set(own.flatMap((patch) => patch.recommendationIds))]
      return [key, { variable: `CONTEXT${endings.get(key) ?? ''}`, clusterName, recommendationIds }]
    }),
  )
}

export const contextWarnings = (patches: readonly ObjectPatch[]): Warning[] =>
  [...contextsOf(patches).values()].map(({ variable, clusterName, recommendationIds }) => ({
    code: 'context_to_set',
    message: `Cluster ${clusterName}: set ${variable} to its context in your kubeconfig before you run the commands (kubectl config get-contexts lists the names). Without ${variable}, the commands stop and change nothing.`,
    recommendationIds,
  }))
