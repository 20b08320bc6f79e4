import { teamsShownMax, unownedShownMax, type TeamList } from '@plimsoll/contract'
import { roundToNumber, type Decimal } from '@plimsoll/engine'
import { UNOWNED } from '@plimsoll/engine/allocation'
import { presentChannels } from '../channels/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { loadTeamMapping, presentCostSharing, presentTeamMapping } from '../settings/index.ts'
import { listTeams, newTeam, presentTeam } from '../teams/index.ts'
import { loadAllocation, RowBudget, type AllocationOptions } from './allocation.ts'
import type { AllocationLimits } from './answer-allocation.ts'
import { listAskedClusters } from './asked-clusters.ts'
import { isRowSelected } from './cost-filter.ts'
import { parseGrouping } from './parse-grouping.ts'
import { presentWindow, type HourWindow } from './parse-window.ts'
import type { PricedRow } from './priced-rows.ts'
import { sumTeamCosts, type NamespaceCost, type TeamCosts } from './sum-team-costs.ts'

/** The part of the fleet that the caller sees. Null: all. */
export type TeamsRequest = {
  window: HourWindow
  callerClusters: readonly string[] | null
  namespaces: readonly string[] | null
  teams: readonly string[] | null
  hasMapping: boolean
  hasSharing: boolean
  hasChannels: boolean
}

/** Reads a month of every cluster: the service calls it in the thread of figures-thread.ts. */
export const answerTeams = (
  db: Db,
  request: TeamsRequest,
  { budget = new RowBudget(), signal }: Partial<AllocationLimits> = {},
): Promise<TeamList> =>
  readAtOnce(db, async (tx) => {
    const options = await optionsOf(tx, request)
    const rows: PricedRow[] = []
    for (const cluster of await listAskedClusters(tx, { ...request, clusterId: undefined })) {
      signal?.throwIfAborted()
      const { steps } = await loadAllocation(tx, cluster, options, budget)
      for (const row of steps.get(0) ?? []) if (isRowSelected(row, options)) rows.push(row)
    }
    const mapping = await loadTeamMapping(tx)
    return {
      ...presentTeams(await listTeams(tx), sumTeamCosts(rows), request),
      ...(request.hasMapping ? { mapping: presentTeamMapping(mapping) } : {}),
      ...(request.hasSharing ? { sharing: presentCostSharing(mapping) } : {}),
      ...(request.hasChannels ? { channels: await presentChannels(tx) } : {}),
    }
  })

const isWhole = ({ namespaces, teams }: TeamsRequest) => namespaces === null && teams === null

async function optionsOf(tx: Db, request: TeamsRequest): Promise<AllocationOptions> {
  const { rules } = await loadTeamMapping(tx)
  return {
    window: request.window,
    step: 'none',
    grouping: parseGrouping('team,cluster,namespace'),
    isNested: false,
    shareIdle: 'none',
    shareOverhead: 'none',
    shareNamespaces: { names: new Set(), by: 'proportional' },
    weights: new Map(),
    teams: rules,
    namespaces: request.namespaces,
    workloads: null,
    visibleTeams: request.teams,
    names: new Map(),
    unowned: new Set(isWhole(request) ? UNOWNED : []),
    rowsMax: teamsShownMax,
  }
}

type Stored = Awaited<ReturnType<typeof listTeams>>

function presentTeams(stored: Stored, costs: TeamCosts, request: TeamsRequest): TeamList {
  const known = new Map(stored.map((team) => [team.name, team]))
  const all = namesFor(stored, costs, request).map((name) => ({
    name,
    ...(costs.teams.get(name) ?? { usd: 0n, namespaces: 0 }),
  }))
  all.sort((a, b) => descending(a.usd, b.usd) || (a.name < b.name ? -1 : 1))
  const [shown, others] = [all.slice(0, teamsShownMax), all.slice(teamsShownMax)]
  const teamsUsd = sumUsd(all)
  const unownedUsd = sumUsd(costs.unowned)
  return {
    window: presentWindow(request.window),
    currency: 'USD',
    total: roundToNumber(teamsUsd + unownedUsd + costs.otherUsd),
    teams: shown.map(({ name, usd, namespaces }) => ({
      ...presentTeam(known.get(name) ?? newTeam(name)),
      cost: roundToNumber(usd),
      namespaces,
    })),
    rest: { teams: others.length, cost: roundToNumber(sumUsd(others)) },
    unowned: request.teams === null ? presentUnowned(costs.unowned) : null,
    other: isWhole(request) ? roundToNumber(costs.otherUsd) : null,
  }
}

/** A role that is limited to clusters or namespaces sees the teams with cost there. */
function namesFor(stored: Stored, { teams }: TeamCosts, request: TeamsRequest): string[] {
  const seesAll = request.callerClusters === null && isWhole(request)
  const named = seesAll ? stored.map(({ name }) => name) : (request.teams ?? [])
  return [...new Set([...named, ...teams.keys()])]
}

function presentUnowned(namespaces: readonly NamespaceCost[]): TeamList['unowned'] {
  const sorted = [...namespaces].sort(
    (a, b) => descending(a.usd, b.usd) || (`${a.cluster}/${a.namespace}` < `${b.cluster}/${b.namespace}` ? -1 : 1),
  )
  const others = sorted.slice(unownedShownMax)
  return {
    cost: roundToNumber(sumUsd(sorted)),
    namespaces: sorted.slice(0, unownedShownMax).map(({ usd, ...place }) => ({ ...place, cost: roundToNumber(usd) })),
    rest: { namespaces: others.length, cost: roundToNumber(sumUsd(others)) },
  }
}

const descending = (a: Decimal, b: Decimal) => Number(b > a) - Number(b < a)
const sumUsd = (rows: readonly { usd: Decimal }[]) => rows.reduce((sum, { usd }) => sum + usd, 0n)
