import { decimal, roundToNumber } from '@plimsoll/engine'
import { countNodePrices, listAllClusters, type ClusterName, type ClusterRow } from '../../clusters/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import { allowLargeGroups, type Db } from '../../platform/db/database.ts'
import { countByRule, sumByGroup, sumSavings } from '../../recommendations/index.ts'
import { loadTeamMapping, type TeamRules } from '../../settings/index.ts'
import { loadAllocation, RowBudget, type AllocationOptions } from '../allocation.ts'
import { listAskedClusters } from '../asked-clusters.ts'
import { isRowSelected } from '../cost-filter.ts'
import type { HourWindow } from '../parse-window.ts'
import type { PricedRow } from '../priced-rows.ts'
import { listLastHours } from '../queries/metrics.ts'
import { clusterSeries, coverageSeries, usdSeries } from './cost-series.ts'
import type { Family, Series } from './metric-text.ts'
import type { CostMetricsRequest } from './metrics-request.ts'

type Options = { signal?: AbortSignal | undefined }

/** Every figure is that of the API: the allocation of the last finalised hour, the run rate and the open recommendations. */
export const answerCostMetrics = (db: Db, request: CostMetricsRequest, { signal }: Options = {}): Promise<Family[]> =>
  readAtOnce(db, async (tx) => {
    await allowLargeGroups(tx)
    const clusters = await listAskedClusters(tx, request)
    const ids = clusters.map(({ id }) => id)
    const hours = await listLastHours(tx, ids)
    const { rules } = await loadTeamMapping(tx)
    const families = new Families()
    for (const cluster of clusters) {
      const window = hours.get(cluster.id)
      if (!window) continue
      signal?.throwIfAborted()
      addHour(families, request, { cluster, window, rows: await loadRows(tx, request, { cluster, window, rules }) })
    }
    if (seesWholeClusters(request))
      for (const row of await listAllClusters(tx, ids))
        families.addWhole(row, await countNodePrices(tx, row.cluster_id))
    if (request.sight) await addAdvice(tx, families, { ...request, sight: request.sight, clusters })
    return families.list()
  })

const seesWholeClusters = ({ namespaces, visibleTeams }: CostMetricsRequest) =>
  namespaces === null && visibleTeams === null

type OneHour = { cluster: ClusterName; window: HourWindow }

async function loadRows(
  tx: Db,
  request: CostMetricsRequest,
  { cluster, window, rules }: OneHour & { rules: TeamRules },
): Promise<PricedRow[]> {
  const { namespaces, visibleTeams, isByWorkload } = request
  const options: AllocationOptions = {
    ...{ window, teams: rules, namespaces, visibleTeams, step: 'none', workloads: null, names: new Map() },
    ...{ shareIdle: 'none', shareOverhead: 'none', shareNamespaces: { names: new Set(), by: 'proportional' } },
    ...{ weights: new Map(), rowsMax: 0, isNested: false, hasQuantities: true, hasClasses: true },
    grouping: { side: 'workloads', names: [], dimensions: isByWorkload ? ['namespace', 'workload'] : ['namespace'] },
    unowned: new Set(seesWholeClusters(request) ? ['idle', 'unmounted', 'unattached', 'overhead'] : []),
  }
  const { steps } = await loadAllocation(tx, cluster, options, new RowBudget())
  return [...steps.values()].flat().filter((row) => isRowSelected(row, options))
}

function addHour(
  families: Families,
  request: CostMetricsRequest,
  { cluster: { name }, window, rows }: OneHour & { rows: readonly PricedRow[] },
): void {
  const { namespaces, workloads, idle, total } = clusterSeries(name, rows)
  families.add('namespace', namespaces)
  if (request.isByWorkload) families.add('workload', workloads)
  families.add('sealedHour', [{ labels: { cluster: name }, value: window.to.getTime() / 1000 }])
  if (!seesWholeClusters(request)) return
  families.add('idle', idle)
  families.add('cluster', [usdSeries({ cluster: name }, total)])
  families.add('coverage', coverageSeries(name, rows))
}

type Advice = CostMetricsRequest & { sight: NonNullable<CostMetricsRequest['sight']>; clusters: readonly ClusterName[] }

async function addAdvice(tx: Db, families: Families, { sight, clusters, now }: Advice): Promise<void> {
  const ids = clusters.map(({ id }) => id)
  if (ids.length === 0) return
  const names = new Map(clusters.map(({ id, name }) => [id, name]))
  const clusterOf = (id: string | null | undefined) => names.get(id ?? '') ?? ''
  const filter = { clusterIds: ids, statuses: ['pending'], awakeAt: now }
  const month = monthOf(now)
  const { groups } = await sumByGroup(tx, { sight, filter, by: 'cluster', limit: ids.length })
  const verified = (await sumSavings(tx, sight, month, ['cluster'])).filter(({ cluster }) => names.has(cluster ?? ''))
  families.add('savings', [
    ...groups.flatMap(({ cluster_id: id, estimated_savings: estimated, bankable_savings: bankable }) => [
      usdSeries({ cluster: clusterOf(id), kind: 'estimated' }, decimal(estimated)),
      ...(bankable === null ? [] : [usdSeries({ cluster: clusterOf(id), kind: 'bankable' }, decimal(bankable))]),
    ]),
    ...verified.map(({ cluster, verified: usd }) =>
      usdSeries({ cluster: clusterOf(cluster), kind: 'verified' }, decimal(usd)),
    ),
  ])
  const open = await countByRule(tx, sight, filter)
  families.add(
    'open',
    open.map(({ clusterId, ruleId, severity, count }) => ({
      labels: { cluster: clusterOf(clusterId), rule_id: ruleId, severity },
      value: count,
    })),
  )
}

function monthOf(now: Date): { from: string; to: string } {
  const first = (offset: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1)).toISOString()
  return { from: first(0), to: first(1) }
}

const known = {
  namespace: ['plimsoll_namespace_hourly_cost', 'Cost of a namespace in the last finalised hour'],
  workload: ['plimsoll_workload_hourly_cost', 'Cost of a workload in the last finalised hour'],
  idle: ['plimsoll_idle_hourly_cost', 'Unallocated cost of a cluster in the last finalised hour'],
  cluster: ['plimsoll_cluster_hourly_cost', 'Total cost of a cluster in the last finalised hour'],
  runRate: ['plimsoll_cluster_monthly_run_rate', 'Mean of the last 24 complete hours × 730'],
  savings: [
    'plimsoll_savings_monthly',
    'Savings of pending recommendations by month, and verified savings of this month',
  ],
  open: ['plimsoll_open_recommendations', 'Number of pending recommendations'],
  coverage: ['plimsoll_usage_coverage_ratio', 'Share of container time with usage data in the last finalised hour'],
  unpricedNodes: ['plimsoll_unpriced_nodes', 'Number of nodes without a price'],
  sealedHour: ['plimsoll_sealed_hour_timestamp_seconds', 'End of the last finalised hour'],
} as const

class Families {
  readonly #series = new Map<keyof typeof known, Series[]>()

  add(name: keyof typeof known, series: readonly Series[]): void {
    const all = this.#series.get(name) ?? []
    for (const each of series) all.push(each)
    this.#series.set(name, all)
  }

  addWhole({ name, monthly_cost: cost }: ClusterRow, { unpriced }: { unpriced: number }): void {
    this.add('runRate', [{ labels: { cluster: name, currency: 'USD' }, value: roundToNumber(decimal(String(cost))) }])
    this.add('unpricedNodes', [{ labels: { cluster: name }, value: unpriced }])
  }

  list(): Family[] {
    return (Object.keys(known) as (keyof typeof known)[]).map((key) => {
      const [name, help] = known[key]
      return { name, help, series: this.#series.get(key) ?? [] }
    })
  }
}
