import type { PoolScaler } from '../../rules/action.ts'
import type { CommandStep } from './command-step.ts'
import { commandsFor } from './commands-for-action.ts'

/** The nodes of one pool that the changes of a plan step make removable. */
export type RemovablePool = {
  readonly clusterId: string
  readonly clusterName: string
  readonly provider: string
  readonly region: string
  readonly pool: string
  readonly scaler: PoolScaler
  readonly nodes: readonly string[]
}

export type NodeRemoval = Pick<RemovablePool, 'clusterId' | 'pool' | 'nodes'> & {
  readonly steps: readonly CommandStep[]
}

/** The commands that remove the nodes after the rollout of the changes. */
export const nodeRemovals = (pools: readonly RemovablePool[]): NodeRemoval[] =>
  pools
    .map(({ clusterId, clusterName, provider, region, pool, scaler, nodes }) => ({
      ...{ clusterId, pool, nodes },
      steps: commandsFor(
        { kind: 'remove_nodes', nodes, pool, scaler },
        {
          object: { kind: 'Node', namespace: '', name: nodes[0] ?? '', container: '' },
          cluster: { id: clusterId, name: clusterName, provider, region, contextVariable: 'CONTEXT' },
        },
      ),
    }))
    .filter(({ steps }) => steps.length > 0)
