import type { CostScope } from '@plimsoll/contract'
import type { Dimension, Owner } from '@plimsoll/engine/allocation'
import { TEAM_DIMENSION, TEAM_LABEL } from './parse-grouping.ts'

/** The name of a missing team or label in filters, as in the rows of the allocation. */
const NONE = '__none__'

type Labels = ReadonlyMap<string, ReadonlySet<string>>

type ParsedScope = {
  readonly index: number
  readonly clusters: ReadonlySet<string> | undefined
  readonly namespaces: ReadonlySet<string> | undefined
  readonly teams: ReadonlySet<string> | undefined
  readonly workloads: ReadonlySet<string> | undefined
  readonly labels: Labels
}

/** Finds the scopes of a cost. Scopes with a team, namespace or workload are indexed by it: most costs are in few scopes. */
export class ScopeMatcher {
  readonly #byTeam = new Map<string, ParsedScope[]>()
  readonly #byNamespace = new Map<string, ParsedScope[]>()
  readonly #others: ParsedScope[] = []

  constructor(scopes: readonly CostScope[]) {
    for (const [index, scope] of scopes.entries()) {
      const parsed = parse(scope, index)
      const namespaces = parsed.namespaces ?? namespacesOf(parsed.workloads)
      if (parsed.teams) addTo(this.#byTeam, parsed.teams, parsed)
      else if (namespaces) addTo(this.#byNamespace, namespaces, parsed)
      else this.#others.push(parsed)
    }
  }

  /** The places of the scopes that contain the cost. */
  matching(clusterId: string, owner: Owner): number[] {
    const candidates =
      owner.kind === 'workload'
        ? [this.#byTeam.get(teamNameOf(owner)), this.#byNamespace.get(owner.namespace), this.#others]
        : [this.#others]
    return candidates
      .flatMap((list) => list ?? [])
      .flatMap((scope) => (contains(scope, clusterId, owner) ? [scope.index] : []))
  }
}

function addTo(index: Map<string, ParsedScope[]>, names: ReadonlySet<string>, scope: ParsedScope): void {
  for (const name of names) {
    const list = index.get(name)
    if (list) list.push(scope)
    else index.set(name, [scope])
  }
}

type WorkloadOwner = Extract<Owner, { kind: 'workload' }>

const teamNameOf = ({ labels }: WorkloadOwner) => labels[TEAM_LABEL] ?? NONE

/** Costs without an owner, such as idle cost, belong to scopes of whole clusters. */
function contains(
  { clusters, namespaces, teams, workloads, labels }: ParsedScope,
  clusterId: string,
  owner: Owner,
): boolean {
  if (clusters && !clusters.has(clusterId)) return false
  if (owner.kind !== 'workload') return !namespaces && !teams && !workloads && labels.size === 0
  if (namespaces && !namespaces.has(owner.namespace)) return false
  if (teams && !teams.has(teamNameOf(owner))) return false
  if (workloads && !workloads.has(`${owner.namespace}/${owner.controllerKind}/${owner.workload}`)) return false
  for (const [key, values] of labels) if (!values.has(owner.labels[key] ?? NONE)) return false
  return true
}

const setOf = (names: readonly string[] | undefined) => names && new Set(names)

const namespacesOf = (workloads: ReadonlySet<string> | undefined) =>
  workloads && new Set([...workloads].map((workload) => workload.split('/')[0] ?? ''))

const parse = (scope: CostScope, index: number): ParsedScope => ({
  index,
  clusters: setOf(scope.clusters),
  namespaces: setOf(scope.namespaces),
  teams: setOf(scope.teams),
  workloads: setOf(scope.workloads),
  labels: labelsOf(scope),
})

/** The values of each key. */
export function labelsOf({ labels = [] }: CostScope): Map<string, Set<string>> {
  const byKey = new Map<string, Set<string>>()
  for (const label of labels) {
    const [key = '', value = ''] = label.split('=')
    byKey.set(key, (byKey.get(key) ?? new Set()).add(value))
  }
  return byKey
}

/** The dimensions that decide whether a cost is in the scopes. */
export function dimensionsOf(scopes: readonly CostScope[]): Dimension[] {
  const keys = new Set(scopes.flatMap((scope) => [...labelsOf(scope).keys()]))
  return [
    ...(scopes.some(({ namespaces }) => namespaces) ? (['namespace'] as const) : []),
    ...(scopes.some(({ workloads }) => workloads) ? (['workload'] as const) : []),
    ...(scopes.some(({ teams }) => teams) ? [TEAM_DIMENSION] : []),
    ...[...keys].map((key): Dimension => `label:${key}`),
  ]
}
