import type { Dimension } from '@plimsoll/engine/allocation'
import { Problem } from '../platform/http/problem.ts'

/**
 * Workloads and nodes are two views of the same quantities. Which workload ran on which node is not stored beyond its
 * price.
 */
export type Grouping = { side: 'workloads' | 'nodes'; names: string[]; dimensions: Dimension[] }

/** A team is not stored: rules compute it like a label. Kubernetes does not allow this label name. */
export const TEAM_LABEL = '__team__'
export const TEAM_DIMENSION: Dimension = `label:${TEAM_LABEL}`

const ofWorkloads: Record<string, Dimension> = {
  namespace: 'namespace',
  workload: 'workload',
  controller_kind: 'controllerKind',
  team: TEAM_DIMENSION,
}
/** Can be combined with both sides. */
const ofBoth: Record<string, Dimension> = { cluster: 'cluster' }
const ofNodes: Record<string, Dimension> = { node: 'node', node_pool: 'nodePool' }

const labelPattern = /^label:[A-Za-z0-9]([A-Za-z0-9._/-]{0,315}[A-Za-z0-9])?$/
const dimensionsMax = 4

/** One or two levels of nested rows. */
export function parseLevels(levels: string): Grouping {
  if (levels.split(',').length > 2) throw refuseGrouping('accepts at most 2 levels', 'group_by')
  return parseGrouping(levels, 'group_by')
}

export function parseGrouping(by = 'namespace', parameter = 'by'): Grouping {
  const refuse = (detail: string) => refuseGrouping(detail, parameter)
  const names = by.split(',')
  if (names.length === 1 && names[0] === 'none') return { side: 'workloads', names: [], dimensions: [] }
  if (names.length > dimensionsMax) throw refuse(`accepts at most ${dimensionsMax} dimensions`)
  if (new Set(names).size < names.length) throw refuse('contains a dimension twice')

  const nodes = names.filter((name) => Object.hasOwn(ofNodes, name))
  const ofWorkloadsOnly = names.filter((name) => !nodes.includes(name) && !Object.hasOwn(ofBoth, name))
  if (nodes.length > 0 && ofWorkloadsOnly.length > 0) {
    throw refuse(
      `cannot combine ${nodes.join(', ')} with workload dimensions: costs are stored per workload and per node, not per pair`,
    )
  }
  return {
    side: nodes.length > 0 ? 'nodes' : 'workloads',
    names,
    dimensions: names.map((name) => parseDimension(name, refuse)),
  }
}

/** Every cost belongs to one cluster, also one without an owner: a row by cluster is the whole cost of the cluster. */
export const isByClusterAlone = ({ dimensions }: Grouping) => dimensions.length === 1 && dimensions[0] === 'cluster'

function parseDimension(name: string, refuse: (detail: string) => Problem): Dimension {
  const known = [ofBoth, ofWorkloads, ofNodes].find((names) => Object.hasOwn(names, name))?.[name]
  if (known) return known
  if (labelPattern.test(name)) return name as Dimension
  throw refuse(`'${name.slice(0, 80)}' is not a dimension; use ${allNames.join(', ')}`)
}

const allNames = [...Object.keys(ofBoth), ...Object.keys(ofWorkloads), ...Object.keys(ofNodes), 'label:<key>', 'none']

const refuseGrouping = (detail: string, parameter: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'grouping', detail }] })
