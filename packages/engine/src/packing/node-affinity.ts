import { hasLabels, meets, type Labels, type Requirement } from './label-selector.ts'

type NodeSelectorTerm = {
  readonly expressions?: readonly Requirement[]
  /** On `metadata.name`, the only supported field. */
  readonly fields?: readonly Requirement[]
}

/** Which nodes a pod may run on. */
export type NodeConstraints = {
  readonly nodeSelector?: Labels
  /** Required terms; one must match. */
  readonly nodeAffinity?: readonly NodeSelectorTerm[]
}

/** Whether the node selector and one of the required terms match; a term without requirements matches no node. */
export function matchesNode(
  constraints: NodeConstraints,
  node: { readonly name: string; readonly labels: Labels },
): boolean {
  if (!hasLabels(constraints.nodeSelector, node.labels)) return false
  if (!constraints.nodeAffinity) return true
  return constraints.nodeAffinity.some(({ expressions = [], fields = [] }) => {
    if (expressions.length + fields.length === 0) return false
    return (
      expressions.every((each) => meets(each, node.labels)) &&
      fields.every((each) => each.key === NAME_FIELD && meets(each, { [NAME_FIELD]: node.name }))
    )
  })
}

const NAME_FIELD = 'metadata.name'

/** The node labels in these constraints. */
export function nodeKeysOf({ nodeSelector = {}, nodeAffinity = [] }: NodeConstraints): string[] {
  const ofTerms = nodeAffinity.flatMap(({ expressions = [] }) => expressions.map(({ key }) => key))
  return [...Object.keys(nodeSelector), ...ofTerms]
}

export function namesNodes({ nodeAffinity = [] }: NodeConstraints): boolean {
  return nodeAffinity.some(({ fields = [] }) => fields.length > 0)
}
