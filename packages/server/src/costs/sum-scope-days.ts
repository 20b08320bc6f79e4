import type { CostScope } from '@plimsoll/contract'
import { dayMs, type Decimal } from '@plimsoll/engine'
import { UNOWNED } from '@plimsoll/engine/allocation'
import type { ClusterName } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { TeamRules } from '../settings/index.ts'
import { loadAllocation, RowBudget } from './allocation.ts'
import { dimensionsOf, ScopeMatcher } from './scope-matcher.ts'

export type ScopeDays = {
  /** In the order of the scopes, by days since 1970. Days without cost are missing. */
  readonly usd: readonly ReadonlyMap<number, Decimal>[]
  readonly workloads: readonly number[]
}

type Question = {
  cluster: ClusterName
  from: Date
  to: Date
  scopes: readonly CostScope[]
  teams: TeamRules
  /** Counts the workloads, too. */
  countsWorkloads?: boolean
  /** More rows throw `TooManyRows`. */
  rowsReadMax?: number | undefined
}

/** The cost of finalised hours in each scope and UTC day. It equals the allocation of the same scope without sharing. */
export async function sumScopeDays(
  tx: Db,
  { cluster, from, to, scopes, teams, ...asked }: Question,
): Promise<ScopeDays> {
  const options = {
    window: { name: 'custom' as const, from, to },
    grouping: {
      side: 'workloads' as const,
      names: [],
      dimensions: [...new Set([...dimensionsOf(scopes), ...(asked.countsWorkloads ? (['workload'] as const) : [])])],
    },
    isNested: false,
    step: 'day' as const,
    ...unshared,
    teams,
    namespaces: namespacesOf(scopes),
    workloads: null,
    visibleTeams: null,
    names: new Map(),
    unowned: new Set(UNOWNED),
    rowsMax: 0,
  }
  const { steps } = await loadAllocation(tx, cluster, options, new RowBudget(asked.rowsReadMax))
  const matcher = new ScopeMatcher(scopes)
  const usd = scopes.map(() => new Map<number, Decimal>())
  const workloads = scopes.map(() => new Set<string>())
  for (const [start, rows] of steps) {
    const day = Math.floor(start / dayMs)
    for (const { owner, charges } of rows) {
      const cost = Object.values(charges).reduce((sum, charge) => sum + (charge?.usd ?? 0n), 0n)
      for (const at of matcher.matching(cluster.id, owner)) {
        const own = usd[at]
        own?.set(day, (own.get(day) ?? 0n) + cost)
        if (owner.kind === 'workload')
          workloads[at]?.add(`${owner.namespace}/${owner.controllerKind}/${owner.workload}`)
      }
    }
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
