import type { PackingNode } from './cluster.ts'
import type { Topology } from './topology.ts'

/** Nodes that no pod can distinguish apart from their running pods: same size, taints and relevant labels. */
export type NodeClass = { readonly nodes: readonly number[]; readonly first: number }

export type NodeClasses = { readonly all: readonly NodeClass[]; readonly of: Int32Array }

export function makeNodeClasses(nodes: readonly PackingNode[], topologies: readonly Topology[]): NodeClasses {
  const ids = new Map<string, number>()
  const members: number[][] = []
  const of = Int32Array.from(nodes, ({ allocatable, taints = [], labels }, node) => {
    // For a label with a different value on every node, only its presence can be shared.
    const topologyValues = topologies.map(({ key, single }) => (single ? key in labels : (labels[key] ?? null)))
    const key = JSON.stringify([allocatable, taints, topologyValues])
    const id = ids.get(key) ?? members.push([]) - 1
    ids.set(key, id)
    members[id]?.push(node)
    return id
  })
  return { all: members.map((own) => ({ nodes: own, first: own[0] ?? 0 })), of }
}
