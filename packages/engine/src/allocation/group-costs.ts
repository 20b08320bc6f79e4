import { compare } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { addCharges, NO_CHARGE, type Charge } from '../pricing/rate.ts'
import { chargeOf, COMPONENTS, type Component, type CostRow } from './cost-row.ts'

export type Dimension =
  'cluster' | 'namespace' | 'workload' | 'controllerKind' | 'node' | 'nodePool' | `label:${string}`

export type CostGroup = {
  /** One name per dimension; without dimensions there is one group with no names. */
  readonly names: readonly string[]
  readonly charges: Readonly<Partial<Record<Component, Charge>>>
  readonly usd: Decimal
  readonly estimatedUsd: Decimal
  readonly unpriced: boolean
}

/**
 * Costs without an owner get this name, so that every grouping has the same total. A Kubernetes name cannot contain
 * underscores.
 */
export const NO_NAME = '__none__'

/** Largest first; ties by name, so that the same rows always give the same list. */
export function groupCosts(rows: readonly CostRow[], by: readonly Dimension[]): CostGroup[] {
  const groups = new Map<string, CostGroup>()
  for (const row of rows) {
    const names = by.map((dimension) => nameIn(row, dimension))
    const key = JSON.stringify(names)
    groups.set(key, addRow(groups.get(key) ?? { names, charges: {}, ...NO_CHARGE }, row))
  }
  return [...groups.values()].sort((a, b) => compare(b.usd, a.usd) || compare(a.names.join('\n'), b.names.join('\n')))
}

export function nameIn({ owner, node, cluster }: CostRow, dimension: Dimension): string {
  if (dimension === 'cluster') return cluster ?? NO_NAME
  if (dimension === 'node') return node?.name ?? NO_NAME
  if (dimension === 'nodePool') return node?.pool ?? NO_NAME
  if (owner.kind !== 'workload') return `__${owner.kind}__`
  if (dimension === 'namespace') return owner.namespace
  if (dimension === 'controllerKind') return owner.controllerKind
  if (dimension === 'workload') return `${owner.namespace}/${owner.controllerKind}/${owner.workload}`
  return owner.labels[dimension.slice('label:'.length)] ?? NO_NAME
}

function addRow(group: CostGroup, row: CostRow): CostGroup {
  const charges = { ...group.charges }
  for (const component of COMPONENTS) {
    const charge = row.charges[component]
    if (charge) charges[component] = addCharges(charges[component] ?? NO_CHARGE, charge)
  }
  return { names: group.names, charges, ...addCharges(group, chargeOf(row)) }
}
