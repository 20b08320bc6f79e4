import type { AllocationStep, SharingSettings } from '@plimsoll/contract'
import type { Dimension } from '@plimsoll/engine/allocation'
import { sumAllocation, sumCloudResourceAllocation, sumIdle, sumNodeAllocation } from './queries/allocation.ts'
import type { ClusterName } from '../clusters/index.ts'
import { type CoveredHours, loadCover, loadHourlyCover } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { CostFilter } from './cost-filter.ts'
import { TEAM_DIMENSION, type Grouping } from './parse-grouping.ts'
import type { HourWindow } from './parse-window.ts'
import { cloudResourceRow, labelReader, nodeRow, priced, workloadRow, type PricedRow } from './priced-rows.ts'
import { dimensionsOfSharing, shareAmongTeams } from './share-among-teams.ts'
import { isShared, shareRows, type Levels, type SharingOptions } from './share-rows.ts'
import { TooManyRows } from './too-many-rows.ts'
import { loadShownCover, type ShownCover } from './shown-cover.ts'
import { labelsOfRules, type TeamRules } from '../settings/index.ts'

export type AllocationOptions = {
  window: HourWindow
  step: AllocationStep
  /** By the name of a row in the only dimension. */
  weights: ReadonlyMap<string, bigint>
  teams: TeamRules
  /** The rules of statements, instead of the other options of sharing. They apply to whole days. */
  sharing?: SharingSettings | undefined
  rowsMax: number
  /** Whether rows contain quantities beside costs. */
  hasQuantities?: boolean
  /** Whether rows split the cost of each resource into used and unused. */
  hasClasses?: boolean
  /** The rows to show, instead of the largest ones. */
  rowNames?: readonly (readonly string[])[]
} & Levels &
  SharingOptions &
  CostFilter

/** Rows of one request, such as workloads times steps. More rows would exhaust the memory of the thread. */
const rowsReadMax = 250_000

/** Counts the rows that one request reads, over all its clusters and queries. */
export class RowBudget {
  readonly #max: number
  #left: number

  constructor(max = rowsReadMax) {
    this.#max = max
    this.#left = max
  }

  /** As many rows again, for a part of the answer whose rows are freed before the next part is read. */
  another(): RowBudget {
    return new RowBudget(this.#max)
  }

  /** For the limit of the next query. */
  get rowsReadMax(): number {
    return this.#left
  }

  /** Called before each row becomes an object, which takes more memory than the row. */
  take<Row>(rows: Row[]): Row[] {
    if (rows.length > this.#left) throw new TooManyRows(this.#max)
    this.#left -= rows.length
    return rows
  }
}

/** By the start of its step; 0 for a window without steps. */
export type StepRows = Map<number, PricedRow[]>

export type ClusterAllocation = { cover: AllocationCover; steps: StepRows }

type AllocationCover = CoveredHours & Pick<ShownCover, 'openHour'>

export async function loadAllocation(
  tx: Db,
  cluster: ClusterName,
  options: AllocationOptions,
  budget: RowBudget,
): Promise<ClusterAllocation> {
  const { grouping, sharing } = options
  const step = sharing ? 'day' : options.step
  const cover = await coverOf(tx, cluster.id, { ...options, step })
  const steps: StepRows = new Map()
  const add = (each: { step: Date | null }, row: PricedRow) => {
    const key = each.step?.getTime() ?? 0
    const rows = steps.get(key)
    const named = Object.assign(row, { cluster: cluster.name })
    if (rows) rows.push(named)
    else steps.set(key, [named])
  }
  if (grouping.side === 'nodes') {
    for (const node of budget.take(await sumNodeAllocation(tx, cover, step, budget))) add(node, nodeRow(node))
    const selection = { step, keys: [], labelKeys: [], namespaces: null }
    for (const each of budget.take(await sumCloudResourceAllocation(tx, cover, selection, budget)))
      add(
        each,
        cloudResourceRow(each, () => ({})),
      )
    return { cover, steps }
  }
  const dimensions = dimensionsRead(options)
  const labelKeys = labelKeysFor(dimensions, options.teams)
  const selection = {
    step,
    keys: keysFor(options),
    labelKeys,
    namespaces: isShared(options) || sharing ? null : options.namespaces,
    hasQuantities: options.hasQuantities ?? false,
    hasClasses: options.hasClasses ?? false,
  }
  const labelsOf = labelReader(cluster.name, labelKeys, dimensions.includes(TEAM_DIMENSION) ? options.teams : null)
  for (const each of budget.take(await sumAllocation(tx, cover, selection, budget)))
    add(each, workloadRow(each, labelsOf))
  for (const each of budget.take(await sumCloudResourceAllocation(tx, cover, selection, budget)))
    add(each, cloudResourceRow(each, labelsOf))
  for (const idle of budget.take(await sumIdle(tx, cover, step))) add(idle, priced(idle, { owner: { kind: 'idle' } }))
  for (const [start, rows] of steps)
    steps.set(start, sharing ? shareAmongTeams(rows, sharing) : shareRows(rows, options))
  return { cover, steps: sharing && options.step === 'none' ? asOneStep(steps) : steps }
}

const asOneStep = (steps: StepRows): StepRows => new Map([[0, [...steps.values()].flat()]])

/** The open hour is after the last step of a window, so only an answer without steps shows it. */
async function coverOf(tx: Db, clusterId: string, { window, step }: AllocationOptions): Promise<AllocationCover> {
  if (step === 'none') return loadShownCover(tx, clusterId, window)
  const load = step === 'hour' ? loadHourlyCover : loadCover
  return { ...(await load(tx, clusterId, window)), openHour: null }
}

const labelPrefix = 'label:'
const isLabel = (dimension: Dimension) => dimension.startsWith(labelPrefix) && dimension !== TEAM_DIMENSION

/** The dimensions of the grouping and of the filters. A role that is limited to teams needs the team of every row. */
export const dimensionsRead = ({ grouping, names, visibleTeams, sharing }: FilteredGrouping): Dimension[] => [
  ...new Set([
    ...grouping.dimensions,
    ...names.keys(),
    ...(visibleTeams === null ? [] : [TEAM_DIMENSION]),
    ...(sharing ? dimensionsOfSharing(sharing) : []),
  ]),
]

type FilteredGrouping = { grouping: Grouping } & Pick<CostFilter, 'names' | 'visibleTeams'> &
  Pick<AllocationOptions, 'sharing'>

/** The labels that a grouping reads: its own, and those of the rules of teams. */
export function labelKeysFor(dimensions: readonly Dimension[], teams: TeamRules): string[] {
  const asked = dimensions.filter(isLabel).map((label) => label.slice(labelPrefix.length))
  return [...new Set([...asked, ...(dimensions.includes(TEAM_DIMENSION) ? labelsOfRules(teams) : [])])]
}

function keysFor(options: AllocationOptions) {
  const { namespaces, workloads, shareNamespaces } = options
  const dimensions = dimensionsRead(options)
  const isByWorkload = dimensions.includes('workload') || workloads !== null
  if (isByWorkload) return ['namespace', 'workload_kind', 'workload_name'] as const
  const isByNamespace =
    dimensions.includes('namespace') ||
    dimensions.includes(TEAM_DIMENSION) ||
    namespaces !== null ||
    shareNamespaces.names.size > 0
  return [
    ...(isByNamespace ? (['namespace'] as const) : []),
    ...(dimensions.includes('controllerKind') ? (['workload_kind'] as const) : []),
  ]
}
