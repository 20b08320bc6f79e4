import type { CostScope, SharingSettings } from '@plimsoll/contract'
import { dayMs, type Decimal } from '@plimsoll/engine'
import { UNOWNED } from '@plimsoll/engine/allocation'
import type { ClusterName } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { TeamRules } from '../settings/index.ts'
import { loadAllocation, RowBudget } from './allocation.ts'
import { usdOf, type PricedRow } from './priced-rows.ts'
import { dimensionsOfSharing, shareAmongTeams } from './share-among-teams.ts'
import { dimensionsOf, ScopeMatcher } from './scope-matcher.ts'

/** `share`: with shared cost, as on statements. */
export type CountedScope = { readonly scope: CostScope; readonly share: boolean }

export type ScopeDays = {
  /** In the order of the scopes, by days since 1970. Days without cost are missing. */
  readonly usd: readonly ReadonlyMap<number, Decimal>[]
  readonly workloads: readonly number[]
}

type Question = {
  cluster: ClusterName
  from: Date
  to: Date
  scopes: readonly CountedScope[]
  rules: { rules: TeamRules; sharing: SharingSettings }
  /** Counts the workloads, too. */
  countsWorkloads?: boolean
  /** More rows throw `TooManyRows`. */
  rowsReadMax?: number | undefined
}

/** The cost of finalised hours in each scope and UTC day. It equals the allocation of the same scope and sharing. */
export async function sumScopeDays(
  tx: Db,
  { cluster, from, to, scopes, rules, ...asked }: Question,
): Promise<ScopeDays> {
  const all = scopes.map(({ scope }) => scope)
  const hasShared = scopes.some(({ share }) => share)
  const options = {
    window: { name: 'custom' as const, from, to },
    grouping: {
      side: 'workloads' as const,
      names: [],
      dimensions: [
        ...new Set([
          ...dimensionsOf(all),
          ...(asked.countsWorkloads ? (['workload'] as const) : []),
          ...(hasShared ? dimensionsOfSharing(rules.sharing) : []),
        ]),
      ],
    },
    isNested: false,
    step: 'day' as const,
    ...unshared,
    teams: rules.rules,
    // Shares depend on the cost of all namespaces.
    namespaces: hasShared ? null : namespacesOf(all),
    workloads: null,
    visibleTeams: null,
    names: new Map(),
    unowned: new Set(UNOWNED),
    rowsMax: 0,
  }
  const { steps } = await loadAllocation(tx, cluster, options, new RowBudget(asked.rowsReadMax))
  const matcher = new ScopeMatcher(all)
  const usd = scopes.map(() => new Map<number, Decimal>())
  const workloads = scopes.map(() => new Set<string>())
  for (const [start, rows] of steps) {
    const day = Math.floor(start / dayMs)
    const add = (row: PricedRow, isShared: boolean) => {
      const { owner } = row
      const cost = usdOf(row)
      for (const at of matcher.matching(cluster.id, owner)) {
        if (scopes[at]?.share !== isShared) continue
        const own = usd[at]
        own?.set(day, (own.get(day) ?? 0n) + cost)
        if (owner.kind === 'workload')
          workloads[at]?.add(`${owner.namespace}/${owner.controllerKind}/${owner.workload}`)
      }
    }
    if (!scopes.every(({ share }) => share)) for (const row of rows) add(row, false)
    if (hasShared) for (const row of shareAmongTeams(rows, rules.sharing)) add(row, true)
  }
  return { usd, workloads: workloads.map(({ size }) => size) }
}

/** The namespaces of all scopes. Null: a scope without namespaces needs all. */
function namespacesOf(scopes: readonly CostScope[]): string[] | null {
  const named = scopes.map(({ namespaces, workloads }) => namespaces ?? workloads?.map(namespaceOf))
  return named.every((names) => names !== undefined) ? [...new Set(named.flat())] : null
}

const namespaceOf = (workload: string) => workload.split('/')[0] ?? ''

const unshared = {
  shareIdle: 'none' as const,
  shareOverhead: 'none' as const,
  shareNamespaces: { names: new Set<string>(), by: 'proportional' as const },
  weights: new Map<string, bigint>(),
}
