import { nameIn, type Dimension } from '../src/allocation/cost-dimension.ts'
import { chargeOf, COMPONENTS, type Component, type CostRow } from '../src/allocation/cost-row.ts'
import { compare } from '../src/apportion.ts'
import type { Decimal } from '../src/decimal.ts'
import { addCharges, NO_CHARGE, type Charge } from '../src/pricing/rate.ts'

type CostGroup = {
  /** One name per dimension; without dimensions there is one group with no names. */
  readonly names: readonly string[]
  readonly charges: Readonly<Partial<Record<Component, Charge>>>
  readonly usd: Decimal
  readonly estimatedUsd: Decimal
  readonly unpriced: boolean
}

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

function addRow(group: CostGroup, row: CostRow): CostGroup {
  const charges = { ...group.charges }
  for (const component of COMPONENTS) {
    const charge = row.charges[component]
    if (charge) charges[component] = addCharges(charges[component] ?? NO_CHARGE, charge)
  }
  return { names: group.names, charges, ...addCharges(group, chargeOf(row)) }
}
