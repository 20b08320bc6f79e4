import type { Decimal } from '../decimal.ts'
import { addCharges, NO_CHARGE, type Charge } from '../pricing/rate.ts'

export const COMPONENTS = ['cpu', 'memory', 'gpu', 'storage', 'loadBalancer', 'overhead', 'shared'] as const
export type Component = (typeof COMPONENTS)[number]

/** Whom a cost belongs to: a workload, or nobody, for one of the reasons that are shown on their own line. */
export type Owner =
  | {
      readonly kind: 'workload'
      readonly namespace: string
      readonly controllerKind: string
      readonly workload: string
      readonly labels: Readonly<Record<string, string>>
    }
  | { readonly kind: Unowned }

/** Idle capacity, volumes that nothing mounts, balancers with no pod behind them, and what serves the whole cluster. */
export type Unowned = 'idle' | 'unmounted' | 'unattached' | 'overhead'

export type CostRow = {
  readonly owner: Owner
  /** Absent for what is on no node: volumes, balancers, fees. */
  readonly node?: { readonly name: string; readonly pool: string }
  readonly charges: Readonly<Partial<Record<Component, Charge>>>
}

export function chargeOf(row: CostRow): Charge {
  return COMPONENTS.reduce((sum, component) => addCharges(sum, row.charges[component] ?? NO_CHARGE), NO_CHARGE)
}

export function totalUsd(rows: readonly CostRow[]): Decimal {
  return rows.reduce((sum, row) => sum + chargeOf(row).usd, 0n)
}
