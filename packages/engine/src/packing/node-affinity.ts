import { hasLabels, meets, type Labels, type Requirement } from './label-selector.ts'
import type { PodConstraints } from './cluster.ts'

export type NodeSelectorTerm = {
  readonly expressions?: readonly Requirement[]
  /** On `metadata.name`, the only field there is. */
  readonly fields?: readonly Requirement[]
}

type Wishes = Pick<PodConstraints, 'nodeSelector' | 'nodeAffinity'>

/** The pod's node selector and one of the required terms; a term without any requirement matches no node. */
export function matchesNode(wishes: Wishes, node: { readonly name: string; readonly labels: Labels }): boolean {
  if (!hasLabels(wishes.nodeSelector, node.labels)) return false
  if (!wishes.nodeAffinity) return true
  return wishes.nodeAffinity.some(({ expressions = [], fields = [] }) => {
    if (expressions.length + fields.length === 0) return false
    return (
      expressions.every((each) => meets(each, node.labels)) &&
      fields.every((each) => each.key === NAME_FIELD && meets(each, { [NAME_FIELD]: node.name }))
    )
  })
}

const NAME_FIELD = 'metadata.name'

/** The node labels that decide it. */
export function nodeKeysOf({ nodeSelector = {}, nodeAffinity = [] }: Wishes): string[] {
  const ofTerms = nodeAffinity.flatMap(({ expressions = [] }) => expressions.map(({ key }) => key))
  return [...Object.keys(nodeSelector), ...ofTerms]
}

export function namesNodes({ nodeAffinity = [] }: Wishes): boolean {
  return nodeAffinity.some(({ fields = [] }) => fields.length > 0)
}
