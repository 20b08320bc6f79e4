import { sizeOn } from './templates.ts'
import type { Pool, SimNode, SimPod, Size } from './state.ts'

/** A node with enough capacity for the requests and one more pod. Pools are tried in order. */
export function findNode(pod: SimPod): SimNode | undefined {
  if (pod.onlyNode) {
    const { onlyNode } = pod
    return hasRoom(onlyNode, sizeOn(onlyNode.pool, pod.template)) ? onlyNode : undefined
  }
  for (const pool of pod.workload.pools) {
    const find = pool.scheduling === 'emptiest' ? emptiest : firstFit
    const node = find(pool, sizeOn(pool, pod.template))
    if (node) return node
  }
  return undefined
}

/** At full size most nodes are full, so each size stores the index of the first candidate. */
function firstFit(pool: Pool, size: Size): SimNode | undefined {
  let index = pool.cursors.get(size.key) ?? 0
  while (index < pool.nodes.length) {
    const node = pool.nodes[index]
    if (node && hasRoom(node, size)) break
    index += 1
  }
  pool.cursors.set(size.key, index)
  return pool.nodes[index]
}

function emptiest({ nodes }: Pool, size: Size): SimNode | undefined {
  const fitting = nodes.filter((node) => hasRoom(node, size))
  const [first, ...others] = fitting
  return first && others.reduce((best, node) => (node.freeCpu > best.freeCpu ? node : best), first)
}

function hasRoom(node: SimNode, { amounts }: Size): boolean {
  return (
    !node.leaving &&
    node.freePods > 0 &&
    node.freeCpu >= amounts.cpu &&
    node.freeMemory >= amounts.memory &&
    node.freeGpu >= amounts.gpu
  )
}

/** Reserves capacity on the node, or adjusts it after a resize. */
export function reserveCapacity(node: SimNode, pod: SimPod): void {
  if (pod.held) releaseCapacity(node, pod)
  const { amounts } = sizeOn(node.pool, pod.template)
  pod.held = amounts
  node.freeCpu -= amounts.cpu
  node.freeMemory -= amounts.memory
  node.freeGpu -= amounts.gpu
  node.freePods -= 1
}

export function releaseCapacity(node: SimNode, pod: SimPod): void {
  if (!pod.held) return
  node.freeCpu += pod.held.cpu
  node.freeMemory += pod.held.memory
  node.freeGpu += pod.held.gpu
  node.freePods += 1
  delete pod.held
  const { cursors } = node.pool
  for (const [key, index] of cursors) if (index > node.index) cursors.set(key, node.index)
}
