import { nameIn, type Dimension, type Owner, type Unowned } from '@plimsoll/engine/allocation'
import { compareTimes, type Comparison, type Pair } from '@plimsoll/engine/changes'
import type { ClusterName } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { dimensionsRead, labelKeysFor } from '../allocation.ts'
import type { CostFilter } from '../cost-filter.ts'
import type { Grouping } from '../parse-grouping.ts'
import type { HourWindow } from '../parse-window.ts'
import { labelReader } from '../priced-rows.ts'
import { findFirstHour } from '../queries/data-quality.ts'
import { loadShownCover, type ShownCover } from '../shown-cover.ts'
import type { TeamRules } from '../../settings/index.ts'
import { groupKey, type GroupLines } from './group-lines.ts'
import { RateCache } from './rate-cache.ts'

export type ChangesOptions = CostFilter & {
  windows: Pair<HourWindow>
  grouping: Grouping
  rowsMax: number
  /** The change of the whole bill, for answers without filters. */
  hasWaterfall: boolean
  /** Whether the caller may see which plan steps changed the bill. */
  canReadSteps: boolean
  /** The first time with hourly data of single resources. */
  detailFrom: Date
}

/** Two windows of one cluster, and where their lines go. */
export type ClusterComparison = {
  tx: Db
  clusterId: string
  covers: Pair<ShownCover>
  /** The time with data. */
  seconds: Pair<number>
  comparison: Comparison
  options: ChangesOptions
  rates: RateCache
  lines: GroupLines
  naming: Naming
  signal: AbortSignal | undefined
}

export type ComparisonInput = Pick<ClusterComparison, 'options' | 'lines' | 'signal'> & { teams: TeamRules }

export async function compareCluster(
  tx: Db,
  { id: clusterId, name }: ClusterName,
  { teams, ...input }: ComparisonInput,
): Promise<ClusterComparison> {
  const { before, now } = input.options.windows
  const covers = {
    before: await loadShownCover(tx, clusterId, before),
    now: await loadShownCover(tx, clusterId, now),
  }
  const seconds = { before: knownSeconds(covers.before), now: knownSeconds(covers.now) }
  const comparison = await compareSeconds(tx, clusterId, seconds, input.options.windows)
  const naming = new Naming(name, input.options, teams)
  return { tx, clusterId, covers, seconds, comparison, rates: new RateCache(tx), naming, ...input }
}

async function compareSeconds(
  tx: Db,
  clusterId: string,
  seconds: Pair<number>,
  windows: Pair<HourWindow>,
): Promise<Comparison> {
  const first = seconds.before === 0 || seconds.now === 0 ? await findFirstHour(tx, clusterId) : new Date(0)
  const isUnconnected = ({ to }: HourWindow) => first === undefined || first >= to
  return compareTimes(seconds, { before: isUnconnected(windows.before), now: isUnconnected(windows.now) })
}

/** Whole seconds. An open hour with figures has at least one. */
const knownSeconds = ({ secondsWithData, openHour }: ShownCover) =>
  openHour === null ? secondsWithData : Math.max(1, Math.round(secondsWithData))

export const hasData = ({ seconds: { before, now } }: Pick<ClusterComparison, 'seconds'>) => before + now > 0

type NamedRow = { namespace: string; kind: string; name: string; labels: (string | null)[] }

/** The owner of a cost, and the group of an owner. */
export class Naming {
  readonly labelKeys: readonly string[]
  readonly #cluster: string
  readonly #dimensions: readonly Dimension[]
  readonly #labelsOf: ReturnType<typeof labelReader>

  constructor(cluster: string, options: ChangesOptions, rules: TeamRules) {
    this.#cluster = cluster
    this.#dimensions = options.grouping.dimensions
    this.labelKeys = labelKeysFor(dimensionsRead(options), rules)
    this.#labelsOf = labelReader(cluster, this.labelKeys, rules)
  }

  ownerOf(row: NamedRow): Owner {
    const { namespace, kind: controllerKind, name: workload } = row
    return { kind: 'workload', namespace, controllerKind, workload, labels: this.#labelsOf(row) }
  }

  groupOf(owner: Owner): string {
    const row = { cluster: this.#cluster, owner, charges: {} }
    return groupKey(this.#dimensions.map((dimension) => nameIn(row, dimension)))
  }

  groupOfUnowned(kind: Unowned): string {
    return this.groupOf({ kind })
  }
}

/** Idle cost depends on all workloads of its cluster; other costs are read as far as the filter selects them. */
export function namespacesToRead({ namespaces, workloads, unowned }: ChangesOptions): readonly string[] | null {
  if (unowned.has('idle')) return null
  return namespaces ?? workloads?.map((workload) => workload.split('/')[0] ?? '') ?? null
}
