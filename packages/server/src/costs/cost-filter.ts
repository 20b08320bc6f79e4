import { nameIn, UNOWNED, type CostRow, type Dimension, type Owner, type Unowned } from '@plimsoll/engine/allocation'
import { TEAM_DIMENSION, TEAM_LABEL } from './parse-grouping.ts'

/** The names that a filter accepts, by dimension. All dimensions must match. */
export type NameFilter = ReadonlyMap<Dimension, ReadonlySet<string>>

/** The costs that an answer includes. Null: all. */
export type CostFilter = {
  namespaces: readonly string[] | null
  workloads: readonly string[] | null
  /** The teams that the role of the caller may see. */
  visibleTeams: readonly string[] | null
  names: NameFilter
  /** The costs without an owner. */
  unowned: ReadonlySet<Unowned>
}

export function isSelected(owner: Owner, { namespaces, workloads, visibleTeams, names, unowned }: CostFilter): boolean {
  if (owner.kind !== 'workload') return unowned.has(owner.kind)
  if (namespaces !== null && !namespaces.includes(owner.namespace)) return false
  if (visibleTeams !== null && !visibleTeams.includes(owner.labels[TEAM_LABEL] ?? '')) return false
  const row = { owner, charges: {} }
  if (workloads !== null && !workloads.includes(nameIn(row, 'workload'))) return false
  return isNamed(row, names)
}

const nodeDimensions = ['node', 'nodePool'] as const

/** Rows of nodes have no owner; only the filters by node and node pool apply to them. */
export const isRowSelected = (row: CostRow, filter: CostFilter): boolean =>
  nodeDimensions.some((each) => filter.names.has(each))
    ? isNamed(row, filter.names)
    : row.node !== undefined || isSelected(row.owner, filter)

function isNamed(row: CostRow, filter: NameFilter): boolean {
  for (const [dimension, names] of filter) if (!names.has(nameIn(row, dimension))) return false
  return true
}

export type NameQuery = { team?: string; label?: string; controller_kind?: string; node_pool?: string; node?: string }

export function parseNameFilter(query: NameQuery): NameFilter {
  const { team, label, controller_kind: kind, node_pool: pool, node } = query
  const filter = new Map<Dimension, Set<string>>()
  const add = (dimension: Dimension, name: string) => {
    const names = filter.get(dimension)
    if (names) names.add(name)
    else filter.set(dimension, new Set([name]))
  }
  for (const name of split(team)) add(TEAM_DIMENSION, name)
  for (const name of split(kind)) add('controllerKind', name)
  for (const name of split(pool)) add('nodePool', name)
  for (const name of split(node)) add('node', name)
  for (const each of split(label)) {
    const at = each.indexOf('=')
    add(`label:${each.slice(0, at)}`, each.slice(at + 1))
  }
  return filter
}

const split = (list: string | undefined) => list?.split(',') ?? []

type OwnerQuery = NameQuery & { namespace?: string; workload?: string }

/** The first filter that only workloads can match. */
export const workloadFilterIn = ({ namespace, workload, team, label, controller_kind }: OwnerQuery) =>
  Object.entries({ namespace, workload, team, label, controller_kind }).find(([, value]) => value !== undefined)?.[0]

/**
 * Filters apply to workloads; costs without an owner are selected like a namespace. They have no team, label or kind, so
 * that such a filter excludes them.
 */
export function selectUnowned({ namespace, ...others }: OwnerQuery): Set<Unowned> {
  if (workloadFilterIn(others) !== undefined) return new Set()
  if (namespace === undefined) return new Set(UNOWNED)
  const names = split(namespace)
  return new Set(UNOWNED.filter((kind) => names.includes(`__${kind}__`)))
}

/** The team of a row; `__none__`: unowned. */
export const teamOfRow = (row: CostRow): string => nameIn(row, TEAM_DIMENSION)
