import type { Decimal } from '../decimal.ts'
import { addCharges, NO_CHARGE, type Charge } from '../pricing/rate.ts'

export const COMPONENTS = ['cpu', 'memory', 'gpu', 'storage', 'loadBalancer', 'overhead', 'shared'] as const
export type Component = (typeof COMPONENTS)[number]

/** The owner of a cost: a workload, or the reason why it has no owner, which is shown on its own line. */
export type Owner =
  | {
      readonly kind: 'workload'
      readonly namespace: string
      readonly controllerKind: string
      readonly workload: string
      readonly labels: Readonly<Record<string, string>>
    }
  | { readonly kind: Unowned }

/** Idle capacity, unmounted volumes, load balancers without endpoints, and cluster-wide fees. */
export const UNOWNED = ['idle', 'unmounted', 'unattached', 'overhead'] as const
export type Unowned = (typeof UNOWNED)[number]

export type CostRow = {
  /** Its name. Absent where the costs of one cluster are grouped. */
  readonly cluster?: string
  readonly owner: Owner
  /** Absent for volumes, load balancers and fees. */
  readonly node?: { readonly name: string; readonly pool: string }
  readonly charges: Readonly<Partial<Record<Component, Charge>>>
}

export function chargeOf(row: CostRow): Charge {
  return COMPONENTS.reduce((sum, component) => addCharges(sum, row.charges[component] ?? NO_CHARGE), NO_CHARGE)
}

export function totalUsd(rows: readonly CostRow[]): Decimal {
  return rows.reduce((sum, row) => sum + chargeOf(row).usd, 0n)
}
