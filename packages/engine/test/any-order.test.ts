import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packCluster } from '../src/packing/bankable-savings.ts'
import type { PackingCluster, PackingNode, PackingPod } from '../src/packing/cluster.ts'
import { NAMESPACES, randomState, type ClusterState } from './real-scheduler/random-state.ts'
import { requestsOf, objections, openWorld, podsOn, type World } from './slow-scheduler.ts'
import { lawRuns } from '../../../test/rounds.ts'

const clusterOf = ({ nodes, pools, workloads, disruptionBudgets }: ClusterState): PackingCluster => ({
  nodes,
  pools,
  pods: workloads.flatMap(({ name, pod, nodes: homes }) =>
    homes.map((node, index) => ({ ...pod, uid: `${name}-${index}`, name: `${name}-${index}`, node })),
  ),
  disruptionBudgets: disruptionBudgets.map(({ name, namespace, app, maxUnavailable }) => ({
    ...{ name, namespace, selector: { labels: { app } } },
    disruptionsAllowed: maxUnavailable,
  })),
  namespaces: NAMESPACES,
})

/** LeastAllocated and BalancedAllocation, with a random part for the other scores and for ties. */
function scoreOf(world: World, pod: PackingPod, node: PackingNode, random: number): number {
  const used = (resource: 'cpu' | 'memory') =>
    [...podsOn(world, node), pod].reduce((sum, each) => sum + requestsOf(each)[resource], 0) /
    node.allocatable[resource]
  const [cpu, memory] = [used('cpu'), used('memory')]
  return 1 - (cpu + memory) / 2 + 1 - Math.abs(cpu - memory) / 2 + random / 2
}

/** The pods that fit on no node when nodes are drained one by one and pods come in random order. */
function findPending(cluster: PackingCluster, named: readonly string[], random: () => number): string[] {
  const world = openWorld(cluster)
  return named.flatMap((name) => {
    const moving = cluster.pods.filter(({ uid, owner }) => world.where.get(uid) === name && owner !== 'daemonset')
    for (const pod of cluster.pods) if (world.where.get(pod.uid) === name) world.where.delete(pod.uid)
    world.nodes.delete(name)
    const order = moving.map((pod) => ({ pod, at: random() - (pod.priority ?? 0) })).sort((a, b) => a.at - b.at)
    return order.flatMap(({ pod }) => {
      const scored = [...world.nodes.values()]
        .filter((node) => objections(world, pod, node).length === 0)
        .map((node) => ({ node, score: scoreOf(world, pod, node, random()) }))
      const best = scored.sort((a, b) => b.score - a.score)[0]
      if (best) world.where.set(pod.uid, best.node.name)
      return best ? [] : [`${pod.name} of ${name}`]
    })
  })
}

test('the named nodes can be drained in any order of their pods', () => {
  const randoms = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))
  fc.assert(
    fc.property(randomState, fc.noShrink(randoms), (state, stream) => {
      const cluster = clusterOf(state)
      const { freed, byHand } = packCluster(cluster).present
      const named = [...freed, ...byHand].map(({ node }) => node)
      expect(findPending(cluster, named, () => stream.next().value as number)).toEqual([])
    }),
    lawRuns(150),
  )
})
