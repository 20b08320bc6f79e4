import { nameIn, UNOWNED, type Owner, type Unowned } from '@plimsoll/engine/allocation'
import { TEAM_LABEL } from './parse-grouping.ts'

/** The costs that an answer includes. Null: all. */
export type CostFilter = {
  namespaces: readonly string[] | null
  workloads: readonly string[] | null
  /** The teams that the role of the caller may see. */
  visibleTeams: readonly string[] | null
  /** The costs without an owner. */
  unowned: ReadonlySet<Unowned>
}

export function isSelected(owner: Owner, { namespaces, workloads, visibleTeams, unowned }: CostFilter): boolean {
  if (owner.kind !== 'workload') return unowned.has(owner.kind)
  if (namespaces !== null && !namespaces.includes(owner.namespace)) return false
  if (visibleTeams !== null && !visibleTeams.includes(owner.labels[TEAM_LABEL] ?? '')) return false
  return workloads === null || workloads.includes(nameIn({ owner, charges: {} }, 'workload'))
}

/** Filters apply to workloads; costs without an owner are selected like a namespace. */
export function selectUnowned({ namespace, workload }: { namespace?: string; workload?: string }): Set<Unowned> {
  if (namespace === undefined && workload === undefined) return new Set(UNOWNED)
  const names = namespace?.split(',') ?? []
  return new Set(UNOWNED.filter((kind) => names.includes(`__${kind}__`)))
}
