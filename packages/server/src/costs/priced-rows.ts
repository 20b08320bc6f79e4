import { decimal, type Decimal } from '@plimsoll/engine'
import type { CostRow, Unowned } from '@plimsoll/engine/allocation'
import { NO_CHARGE, type Charge } from '@plimsoll/engine/pricing'
import type { AllocatedCost, CloudResourceAllocation, WorkloadAllocation } from './queries/allocation.ts'
import { TEAM_LABEL } from './parse-grouping.ts'
import { teamOf, type TeamRules } from '../settings/index.ts'

/** A row with its parts that do not depend on sharing, and the costs shared with it. */
export type PricedRow = CostRow & {
  readonly usedUsd: Decimal
  /** The part of `usedUsd` without usage data. */
  readonly unmeasuredUsd: Decimal
  readonly idleUsd: Decimal
  readonly sharedIdle?: Charge
  readonly sharedOverhead?: Charge
  readonly sharedNamespaces?: Charge
  /** Only on request. */
  readonly quantities?: WorkloadAllocation['quantities']
  /** Only on request. */
  readonly usedBy?: WorkloadAllocation['usedBy']
  /** KiB-seconds of volumes, as text. */
  readonly volumeUnitSeconds?: string
}

export type SharedPart = 'sharedIdle' | 'sharedOverhead' | 'sharedNamespaces'

const charge = (usd: string): Charge => ({ ...NO_CHARGE, usd: decimal(usd) })

/** Estimates and missing prices are known for the whole row; its first component carries them. */
export function priced(cost: AllocatedCost, row: Omit<CostRow, 'charges'>): PricedRow {
  const cpu = { usd: decimal(cost.cpu), estimatedUsd: decimal(cost.estimated), unpriced: cost.isUnpriced }
  const charges = { cpu, memory: charge(cost.memory), gpu: charge(cost.gpu) }
  return {
    ...row,
    charges,
    usedUsd: decimal(cost.used),
    unmeasuredUsd: decimal(cost.unmeasured),
    idleUsd: decimal(cost.idle),
  }
}

type Named = Pick<WorkloadAllocation, 'namespace' | 'kind' | 'name' | 'labels'>
type LabelsOf = (each: Named) => Record<string, string>

/** The requested labels, and the team as a label. Null: the team is not requested. */
export function labelReader(cluster: string, labelKeys: readonly string[], teams: TeamRules | null): LabelsOf {
  return ({ namespace, labels: values }) => {
    const labels: Record<string, string> = {}
    for (const [index, key] of labelKeys.entries()) {
      const value = values[index] ?? null
      if (value !== null) labels[key] = value
    }
    if (teams === null) return labels
    const team = teamOf(teams, { cluster, namespace: namespace ?? '', labels })
    return team === undefined ? labels : { ...labels, [TEAM_LABEL]: team }
  }
}

const ownerOf = (each: Named, labelsOf: LabelsOf) => ({
  kind: 'workload' as const,
  namespace: each.namespace ?? '',
  controllerKind: each.kind ?? '',
  workload: each.name ?? '',
  labels: labelsOf(each),
})

export function workloadRow(each: WorkloadAllocation, labelsOf: LabelsOf): PricedRow {
  const row = priced(each, { owner: ownerOf(each, labelsOf) })
  const { quantities, usedBy } = each
  return { ...row, ...(quantities ? { quantities } : {}), ...(usedBy ? { usedBy } : {}) }
}

export function cloudResourceRow(each: CloudResourceAllocation, labelsOf: LabelsOf): PricedRow {
  const storage = { usd: decimal(each.storage), estimatedUsd: decimal(each.estimated), unpriced: each.isUnpriced }
  return {
    owner: each.owner === 'workload' ? ownerOf(each, labelsOf) : { kind: each.owner },
    charges: { storage, loadBalancer: charge(each.loadBalancer), overhead: charge(each.overhead) },
    usedUsd: 0n,
    unmeasuredUsd: 0n,
    idleUsd: 0n,
    volumeUnitSeconds: each.volumeUnitSeconds,
  }
}

export const nodeRow = ({ name, pool, ...cost }: AllocatedCost & { name: string; pool: string }) =>
  priced(cost, { owner: { kind: 'idle' }, node: { name, pool } })

/** The separate line of a row without an owner; idle cost of a node stays in the row of its node. */
export const unownedKind = ({ owner, node }: CostRow): Unowned | undefined =>
  owner.kind === 'workload' || node !== undefined ? undefined : owner.kind

export const chargesOf = ({ charges, sharedIdle, sharedOverhead, sharedNamespaces }: PricedRow): Charge[] =>
  [...Object.values(charges), sharedIdle, sharedOverhead, sharedNamespaces].filter((each) => each !== undefined)

/** Without a list of charges: a grouping can have many thousand rows. */
export function usdOf({ charges, sharedIdle, sharedOverhead, sharedNamespaces }: PricedRow): Decimal {
  let sum = (sharedIdle?.usd ?? 0n) + (sharedOverhead?.usd ?? 0n) + (sharedNamespaces?.usd ?? 0n)
  for (const { usd } of Object.values(charges)) sum += usd
  return sum
}
