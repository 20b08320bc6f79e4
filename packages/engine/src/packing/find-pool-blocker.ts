import type { Blocker } from './blocker.ts'
import { CPU, MEMORY } from './needs.ts'
import { known, type State } from './state.ts'

const THRESHOLD_PERCENT = 50

/** The blocker of the node, independent of its pods. `live` is the current number of nodes of the pool. */
export function findPoolBlocker(state: State, node: number, live: number): Blocker | undefined {
  return state.model.nodes[node]?.keep ? { code: 'node-marked' } : findScalerBlocker(state, node, live)
}

/** A limit of the autoscaler of the pool. */
export function findScalerBlocker(state: State, node: number, live: number): Blocker | undefined {
  const pool = known(state.model.poolOf[node])
  if (pool.kind === 'karpenter' && pool.onlyEmpty) {
    const pods = known(state.podsOn[node]).filter((pod) => state.model.leavesWithNode[pod] === 0).length
    return pods > 0 ? { code: 'only-empty-nodes', pods } : undefined
  }
  if (pool.kind !== 'cluster-autoscaler') return undefined

  if (live <= pool.nodesMin) return { code: 'pool-minimum', nodesMin: pool.nodesMin }
  const { thresholdPercent = THRESHOLD_PERCENT } = pool
  const usedPercent = utilisation(state, node) * 100
  if (usedPercent < thresholdPercent) return undefined
  return { code: 'above-threshold', usedPercent: Math.round(usedPercent), thresholdPercent }
}

/** As the cluster-autoscaler computes it: the higher of CPU and memory, and for a GPU node the GPUs alone. */
function utilisation({ model, free }: State, node: number): number {
  const width = model.resources.length
  const shareOf = (resource: number) => {
    const whole = model.allocatable[node * width + resource] ?? 0
    return whole > 0 ? (whole - (free[node * width + resource] ?? 0)) / whole : 0
  }
  const gpus = model.resources.flatMap((name, index) =>
    name.endsWith('/gpu') && (model.allocatable[node * width + index] ?? 0) > 0 ? [index] : [],
  )
  return Math.max(...(gpus.length > 0 ? gpus : [CPU, MEMORY]).map(shareOf))
}
