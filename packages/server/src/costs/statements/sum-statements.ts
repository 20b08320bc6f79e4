import { UNOWNED, type CostRow, type Unowned } from '@plimsoll/engine/allocation'
import type { Decimal } from '@plimsoll/engine'
import type { StatementPart } from '@plimsoll/contract'
import { teamOfRow } from '../cost-filter.ts'
import { unownedKind, type PricedRow } from '../priced-rows.ts'

/** The cost of one cluster before and after sharing, as far as the caller may see it. */
export type StatementRows = {
  readonly cluster: string
  readonly unshared: readonly PricedRow[]
  readonly shared: readonly PricedRow[]
}

export const ownResources = ['cpu', 'memory', 'gpu', 'storage', 'loadBalancer'] as const
export type OwnResource = (typeof ownResources)[number]
export type OwnAmounts = Record<OwnResource, Decimal>

export type OwnRow = { readonly cluster: string; readonly namespace: string; readonly usd: OwnAmounts }

export type TeamSums = {
  readonly team: string
  readonly rows: OwnRow[]
  readonly own: OwnAmounts
  readonly shared: Record<StatementPart, Decimal>
  /** The cost without any sharing, as budgets without `share` count it. */
  unsharedUsd: Decimal
  estimatedUsd: Decimal
  unpriced: boolean
}

export type MonthSums = {
  readonly teams: ReadonlyMap<string, TeamSums>
  readonly notCharged: Readonly<Record<Unowned, Decimal>>
  /** The cost of the month before sharing. */
  readonly total: Decimal
}

/** Sums up a month by team. Unowned cost is the team `__none__`. */
export function sumStatements(clusters: readonly StatementRows[]): MonthSums {
  const teams = new Map<string, TeamSums>()
  const rowsOf = new Map<string, OwnRow>()
  const notCharged = Object.fromEntries(UNOWNED.map((kind) => [kind, 0n])) as Record<Unowned, Decimal>
  let total = 0n
  for (const { cluster, unshared, shared } of clusters) {
    for (const row of unshared) {
      const usd = chargedUsd(row)
      total += usd
      if (unownedKind(row) === undefined) teamIn(teams, teamOfRow(row)).unsharedUsd += usd
    }
    for (const row of shared) {
      const kind = unownedKind(row)
      if (kind === undefined) addOwned(teamIn(teams, teamOfRow(row)), { cluster, row, rowsOf })
      else notCharged[kind] += chargedUsd(row)
    }
  }
  return { teams, notCharged, total }
}

type Owned = { cluster: string; row: PricedRow; rowsOf: Map<string, OwnRow> }

function addOwned(sums: TeamSums, { cluster, row, rowsOf }: Owned): void {
  const namespace = row.owner.kind === 'workload' ? row.owner.namespace : ''
  const key = JSON.stringify([sums.team, cluster, namespace])
  const own = rowsOf.get(key) ?? { cluster, namespace, usd: noAmounts() }
  if (!rowsOf.has(key)) sums.rows.push(own)
  rowsOf.set(key, own)
  for (const resource of ownResources) {
    const usd = row.charges[resource]?.usd ?? 0n
    own.usd[resource] += usd
    sums.own[resource] += usd
  }
  const { sharedIdle, sharedOverhead, sharedNamespaces } = row
  sums.shared.idle += sharedIdle?.usd ?? 0n
  sums.shared.overhead += sharedOverhead?.usd ?? 0n
  sums.shared.namespaces += sharedNamespaces?.usd ?? 0n
  for (const charge of [...Object.values(row.charges), sharedIdle, sharedOverhead, sharedNamespaces]) {
    sums.estimatedUsd += charge?.estimatedUsd ?? 0n
    sums.unpriced ||= charge?.unpriced ?? false
  }
}

const noAmounts = (): OwnAmounts => ({ cpu: 0n, memory: 0n, gpu: 0n, storage: 0n, loadBalancer: 0n })

export const emptyTeam = (team: string): TeamSums => ({
  team,
  rows: [],
  own: noAmounts(),
  shared: { idle: 0n, overhead: 0n, namespaces: 0n },
  unsharedUsd: 0n,
  estimatedUsd: 0n,
  unpriced: false,
})

function teamIn(teams: Map<string, TeamSums>, team: string): TeamSums {
  const sums = teams.get(team) ?? emptyTeam(team)
  teams.set(team, sums)
  return sums
}

const chargedUsd = ({ charges }: CostRow): Decimal =>
  Object.values(charges).reduce((sum, charge) => sum + (charge?.usd ?? 0n), 0n)

export const sumOfAmounts = (usd: Readonly<Record<string, Decimal>>): Decimal =>
  Object.values(usd).reduce((sum, each) => sum + each, 0n)

export const ownUsd = ({ own }: TeamSums): Decimal => sumOfAmounts(own)
export const sharedUsd = ({ shared }: TeamSums): Decimal => sumOfAmounts(shared)
export const totalUsd = (sums: TeamSums): Decimal => ownUsd(sums) + sharedUsd(sums)
