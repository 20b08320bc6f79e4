import type { CostScope } from '@plimsoll/contract'
import { labelsOf } from '../costs/index.ts'
import type { Grant } from '../platform/auth/caller.ts'

type Names = readonly string[] | undefined

/**
 * Whether every cost of a scope is also in another: the inner scope has each field of the outer one, with the same values
 * or fewer. Decided from the scopes alone, so that it stays true when workloads move.
 */
export function isInside(inner: CostScope, outer: CostScope): boolean {
  const own = labelsOf(inner)
  return (
    isSubset(inner.clusters, outer.clusters) &&
    isSubset(inner.namespaces ?? namespacesOf(inner.workloads), outer.namespaces) &&
    isSubset(inner.teams, outer.teams) &&
    isSubset(inner.workloads, outer.workloads) &&
    [...labelsOf(outer)].every(([key, values]) => isSubset(own.get(key) && [...(own.get(key) ?? [])], [...values]))
  )
}

export const namespacesOf = (workloads: Names): Names => workloads?.map((workload) => workload.split('/')[0] ?? '')

const isSubset = (inner: Names, outer: Names): boolean =>
  outer === undefined || (inner?.every((name) => outer.includes(name)) ?? false)

/** The costs that a role may see. */
export const scopeOfGrant = ({
  clusters,
  namespaces,
  teams,
}: Pick<Grant, 'clusters' | 'namespaces' | 'teams'>): CostScope => ({
  ...(clusters === null ? {} : { clusters: [...clusters] }),
  ...(namespaces === null ? {} : { namespaces: [...namespaces] }),
  ...(teams === null ? {} : { teams: [...teams] }),
})

/** The scope, reduced to the costs that a role may see. A field without a common value matches nothing. */
export function narrowScope(scope: CostScope, limits: CostScope): CostScope {
  const both = (asked: Names, allowed: Names) =>
    asked && allowed ? asked.filter((name) => allowed.includes(name)) : (asked ?? allowed)
  const fields = {
    clusters: both(scope.clusters, limits.clusters),
    namespaces: both(scope.namespaces, limits.namespaces),
    teams: both(scope.teams, limits.teams),
    labels: scope.labels,
    workloads: scope.workloads,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
