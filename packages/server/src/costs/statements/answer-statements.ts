import {
  statementSheetsMax,
  type Statement,
  type SharingSettings,
  type StatementList,
  type StatementState,
} from '@plimsoll/contract'
import { groupBy } from '@plimsoll/engine'
import { UNOWNED } from '@plimsoll/engine/allocation'
import type { Pair } from '@plimsoll/engine/changes'
import type { ClusterName } from '../../clusters/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { loadTeamMapping, type TeamRules } from '../../settings/index.ts'
import { loadAllocation, RowBudget, type AllocationOptions, type ClusterAllocation } from '../allocation.ts'
import { listAskedClusters, type AskedClusters } from '../asked-clusters.ts'
import type { ChangesOptions } from '../changes/cluster-comparison.ts'
import { GroupLines, type GroupLine } from '../changes/group-lines.ts'
import { loadClusterChanges, type ClusterChanges } from '../changes/load-cluster-changes.ts'
import { presentChanges } from '../changes/present-changes.ts'
import { isRowSelected, type CostFilter } from '../cost-filter.ts'
import { TEAM_DIMENSION, type Grouping } from '../parse-grouping.ts'
import { presentWindow, type HourWindow } from '../parse-window.ts'
import { findFirstHour } from '../queries/data-quality.ts'
import type { PricedRow } from '../priced-rows.ts'
import { shareAmongTeams } from '../share-among-teams.ts'
import { comparedClusters, coverageOf, presentPartial } from '../shown-cover.ts'
import {
  presentList,
  presentStatement,
  UNOWNED_TEAM,
  type StatementFigures,
  type TeamBudget,
} from './present-statements.ts'
import { sumStatements, type MonthSums, type StatementRows } from './sum-statements.ts'

/** Plain data, so that it can be posted to another thread. */
export type StatementsRequest = AskedClusters & {
  month: string
  state: StatementState
  windows: Pair<HourWindow>
  now: Date
  /** The first time with hourly data of single resources. */
  detailFrom: Date
  budgets: readonly TeamBudget[] | null
  /** What the role of the caller may see. Null: all. */
  namespaces: readonly string[] | null
  teams: readonly string[] | null
  /** The sheet of one team, the list of all teams, or the list with all sheets. */
  asked: { kind: 'team'; team: string } | { kind: 'list' } | { kind: 'sheets' }
}

type Limits = { signal?: AbortSignal }
type Context = {
  tx: Db
  named: readonly ClusterName[]
  rules: TeamRules
  sharing: SharingSettings
  request: StatementsRequest
  limits: Limits
}

/** Takes long for large clusters: the service calls it in the thread of figures-thread.ts. */
export const answerStatements = (
  db: Db,
  request: StatementsRequest,
  limits: Limits = {},
): Promise<StatementList | Statement> =>
  // One transaction, so that amounts and causes show the same hours and teams.
  readAtOnce(db, async (tx) => {
    const { rules, sharing } = await loadTeamMapping(tx)
    const context = { tx, named: await listAskedClusters(tx, request), rules, sharing, request, limits }
    return request.asked.kind === 'team' ? answerTeam(context, request.asked.team) : answerList(context)
  })

async function answerTeam(context: Context, team: string): Promise<Statement> {
  const { figures } = await loadFigures(context)
  const sums = figures.now.teams.get(team)
  if (!sums) throw noStatement(team, context.request.month)
  const [sheet] = await loadSheets(context, figures, [team])
  if (!sheet) throw noStatement(team, context.request.month)
  return sheet
}

async function answerList(context: Context): Promise<StatementList> {
  const { request } = context
  const { figures, covers, compared } = await loadFigures(context)
  const list = presentList(figures, {
    compare_window: presentWindow(request.windows.before),
    compare_data_status: coverageOf(compared, request.windows.before).status,
    as_of: presentPartial(covers).as_of,
    months: await listMonths(context),
  })
  if (request.asked.kind === 'list') return list
  const teams = figures.now.teams.size
  if (teams > statementSheetsMax) throw tooManySheets(teams)
  const names = [...list.teams.map(({ team }) => team), ...(list.unowned ? [UNOWNED_TEAM] : [])]
  return { ...list, sheets: await loadSheets(context, figures, names) }
}

type Loaded = { figures: StatementFigures; covers: Cover[]; compared: Cover[] }
type Cover = ClusterAllocation['cover']

async function loadFigures(context: Context): Promise<Loaded> {
  const { month, state, windows, budgets, namespaces, teams } = context.request
  const now = await loadMonth(context, windows.now)
  const before = await loadMonth(context, windows.before)
  const { status, hoursWithData } = coverageOf(now.covers, windows.now, comparedClusters(now.covers))
  const head = {
    month,
    state,
    revision: 0,
    window: presentWindow(windows.now),
    data_status: status,
    hours_with_data: Math.round(hoursWithData),
    currency: 'USD',
  }
  const isLimited = namespaces !== null || teams !== null
  return {
    covers: now.covers,
    compared: before.covers,
    figures: { now: now.sums, before: before.sums, sharing: context.sharing, budgets, isLimited, head },
  }
}

const byTeam: Grouping = {
  side: 'workloads',
  names: ['team', 'namespace'],
  dimensions: [TEAM_DIMENSION, 'namespace'],
}

const unshared = {
  shareIdle: 'none' as const,
  shareOverhead: 'none' as const,
  shareNamespaces: { names: new Set<string>(), by: 'proportional' as const },
  weights: new Map<string, bigint>(),
}

/** A limited role sees only workloads. */
const filterOf = ({ namespaces, teams }: StatementsRequest): CostFilter => ({
  namespaces,
  workloads: null,
  visibleTeams: teams,
  names: new Map(),
  unowned: new Set(namespaces === null && teams === null ? UNOWNED : []),
})

/** One read, day by day: the rows before sharing, which budgets can count, and the rows of the statements. */
async function loadMonth(
  { tx, named, rules, sharing, request, limits }: Context,
  window: HourWindow,
): Promise<{ sums: MonthSums; covers: Cover[] }> {
  const filter = filterOf(request)
  const all = { ...filter, namespaces: null, visibleTeams: null, unowned: new Set(UNOWNED) }
  const options: AllocationOptions = {
    ...{ window, grouping: byTeam, isNested: true, step: 'day', teams: rules, rowsMax: 0 },
    ...unshared,
    ...all,
  }
  const budget = new RowBudget()
  const clusters: StatementRows[] = []
  const covers: Cover[] = []
  for (const cluster of named) {
    limits.signal?.throwIfAborted()
    const { cover, steps } = await loadAllocation(tx, cluster, options, budget)
    const isVisible = (row: PricedRow) => isRowSelected(row, filter)
    for (const rows of steps.values()) {
      const shared = shareAmongTeams(rows, sharing)
      clusters.push({ cluster: cluster.name, unshared: rows.filter(isVisible), shared: shared.filter(isVisible) })
    }
    covers.push(cover)
  }
  return { sums: sumStatements(clusters), covers }
}

/** The statements of these teams, with the causes of their differences. */
async function loadSheets(
  { tx, named, rules, sharing, request, limits }: Context,
  figures: StatementFigures,
  teams: readonly string[],
): Promise<Statement[]> {
  const options: ChangesOptions = {
    ...filterOf(request),
    windows: request.windows,
    grouping: { side: 'workloads', names: ['team', 'workload'], dimensions: [TEAM_DIMENSION, 'workload'] },
    names: new Map([[TEAM_DIMENSION, new Set(teams)]]),
    unowned: new Set(),
    rowsMax: workloadsListed,
    hasWaterfall: false,
    canReadSteps: false,
    detailFrom: request.detailFrom,
  }
  const lines = new GroupLines()
  const clusters: ClusterChanges[] = []
  for (const cluster of named) {
    limits.signal?.throwIfAborted()
    clusters.push(await loadClusterChanges(tx, cluster, { options, lines, signal: limits.signal, teams: rules }))
  }
  const isOwn = ({ names: [, workload = ''] }: GroupLine) => !sharing.namespaces.includes(workload.split('/')[0] ?? '')
  const linesOf = groupBy(lines.all().filter(isOwn), ({ names: [team = ''] }) => team)
  const byWorkload = { ...options, grouping: { ...options.grouping, names: ['workload'], dimensions: [] } }
  return teams.flatMap((team) => {
    const sums = figures.now.teams.get(team)
    if (!sums) return []
    const own = (linesOf.get(team) ?? []).map((line) => ({ ...line, names: line.names.slice(1) }))
    return [presentStatement(figures, sums, presentChanges(clusters, own, byWorkload))]
  })
}

/** The workloads that changed most. */
const workloadsListed = 30

/** From the month of the first hour with data to the current month, newest first. */
async function listMonths({ tx, named, request: { now } }: Context): Promise<StatementList['months']> {
  const hours = await Promise.all(named.map(({ id }) => findFirstHour(tx, id)))
  const first = hours.filter((hour) => hour !== undefined).sort((a, b) => a.getTime() - b.getTime())[0] ?? now
  const months: StatementList['months'] = []
  for (let at = 0; ; at += 1) {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - at, 1))
    months.push({ month: month.toISOString().slice(0, 7), state: at === 0 ? 'open' : 'provisional' })
    if (month <= first) return months
  }
}

export const noStatement = (team: string, month: string) =>
  new Problem(
    'statement_not_found',
    `There is no statement of the team ${quoted(team)} for ${quoted(month)}: the team has no cost in this month.`,
  )

function tooManySheets(teams: number) {
  const detail = `\`sheets\` accepts at most ${statementSheetsMax} teams, and the month has ${teams}; request single statements`
  return new Problem('invalid_parameter', `include: ${detail}.`, {
    errors: [{ parameter: 'include', code: 'too_many_sheets', detail }],
  })
}
