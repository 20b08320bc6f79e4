import { endingsFor } from '../shell-variables.ts'
import type { WantedChange } from '../plan-patches.ts'
import type { CommandStep } from './command-step.ts'
import { commandsFor } from './commands-for-action.ts'

/** The commands of one recommendation. */
export type RecommendationCommands = {
  readonly recommendationId: string
  readonly clusterId: string
  readonly steps: readonly CommandStep[]
}

/** For recommendations with an action that are in no file. */
export function commandsOf(wanted: readonly WantedChange[], inFiles: ReadonlySet<string>): RecommendationCommands[] {
  const variableOf = contextVariables(wanted)
  return wanted
    .filter(({ id, action }) => action !== undefined && !inFiles.has(id))
    .map(({ id, clusterId, clusterName, provider = '', region = '', action, change: { object } }) => ({
      recommendationId: id,
      clusterId,
      steps: action
        ? commandsFor(action, {
            object,
            cluster: { id: clusterId, name: clusterName, provider, region, contextVariable: variableOf(clusterId) },
          })
        : [],
    }))
    .filter(({ steps }) => steps.length > 0)
    .sort((a, b) => (a.recommendationId < b.recommendationId ? -1 : 1))
}

/** Each of several clusters has its own context. */
function contextVariables(wanted: readonly WantedChange[]): (clusterId: string) => string {
  const names = new Map(wanted.map(({ clusterId, clusterName }) => [clusterId, clusterName]))
  if (names.size < 2) return () => 'CONTEXT'
  const endings = endingsFor([...names].map(([key, name]) => ({ key, names: [name] })))
  return (clusterId) => `CONTEXT${endings.get(clusterId) ?? ''}`
}
