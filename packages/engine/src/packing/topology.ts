import type { PackingNode } from './cluster.ts'

/** A label that divides nodes into domains. */
export type Topology = {
  readonly key: string
  /** Every node with the label is its own domain, as with host names. The domain is then the number of the node. */
  readonly single: boolean
  /** Every node has the label. */
  readonly complete: boolean
  /** By node; -1 where the label is missing. */
  readonly domainOf: Int32Array
}

export function makeTopology(key: string, nodes: readonly PackingNode[]): Topology {
  const values = new Map<string, number>()
  const byValue = Int32Array.from(nodes, ({ labels }) => {
    const value = labels[key]
    if (value === undefined) return -1
    const domain = values.get(value) ?? values.size
    values.set(value, domain)
    return domain
  })
  const having = byValue.reduce((sum, domain) => sum + (domain < 0 ? 0 : 1), 0)
  const single = values.size === having
  const complete = having === nodes.length
  return { key, single, complete, domainOf: single ? byValue.map((domain, node) => (domain < 0 ? -1 : node)) : byValue }
}
