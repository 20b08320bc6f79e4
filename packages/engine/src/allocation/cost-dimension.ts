import type { CostRow } from './cost-row.ts'

export type Dimension =
  'cluster' | 'namespace' | 'workload' | 'controllerKind' | 'node' | 'nodePool' | `label:${string}`

/**
 * Costs without an owner get this name, so that every grouping has the same total. A Kubernetes name cannot contain
 * underscores.
 */
const NO_NAME = '__none__'

export function nameIn({ owner, node, cluster }: CostRow, dimension: Dimension): string {
  if (dimension === 'cluster') return cluster ?? NO_NAME
  if (dimension === 'node') return node?.name ?? NO_NAME
  if (dimension === 'nodePool') return node?.pool ?? NO_NAME
  if (owner.kind !== 'workload') return `__${owner.kind}__`
  if (dimension === 'namespace') return owner.namespace
  if (dimension === 'controllerKind') return owner.controllerKind
  if (dimension === 'workload') return `${owner.namespace}/${owner.controllerKind}/${owner.workload}`
  const key = dimension.slice('label:'.length)
  // A key such as `constructor` is not a label of a workload without that label.
  return Object.hasOwn(owner.labels, key) ? (owner.labels[key] ?? NO_NAME) : NO_NAME
}
