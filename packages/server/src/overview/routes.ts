import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Overview, operations } from '@plimsoll/contract'
import { decimal, roundToNumber, dayMs } from '@plimsoll/engine'
import { loadOpenIncidents } from '../alerts/index.ts'
import { loadBudgetStates } from '../budgets/index.ts'
import type { Caller } from '../platform/auth/caller.ts'
import {
  type ClusterRow,
  findCluster,
  listAllClusters,
  visibleClusterOfQuery,
  wholeCluster,
} from '../clusters/index.ts'
import { readAtOnce } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { countWithheld, listWrittenHours, sumAdvice, type AdviceSum } from './queries/overview.ts'
import { loadPlanSummary, loadUnsafe } from '../plans/index.ts'
import { listRecommendations, presentRecommendations } from '../recommendations/index.ts'
import type { Deps } from '../platform/deps.ts'
import { KeptFigures } from '../platform/kept-figures.ts'
import { loadClusterPast, trendDays, type ClusterPast } from './overview-cluster.ts'
import { presentOverview, type KnownCluster } from './overview.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { handle } from '../platform/http/handle.ts'

const clustersKept = 10_000
const topShownMax = 5

/** One call for the first screen: cost, idle cost, changes and recommendations. */
export const overviewRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const kept = new KeptFigures<ClusterPast>(clustersKept)

  handle(app, operations.getOverview, {
    preParsing: [visibleClusterOfQuery(deps), wholeCluster],
    handler: async (request, reply) => {
      const caller = requestCaller(request)
      const answer = await readAtOnce(deps.db, async (tx): Promise<Overview> => {
        const rows = await loadRows(tx, caller, request.query.cluster_id)
        const { clusters, newest } = await loadPasts(tx, kept, rows, deps.now())
        return {
          as_of: newest === undefined ? null : new Date(newest.getTime() + dayMs / 24).toISOString(),
          currency: 'USD',
          ...presentOverview(clusters, deps.now()),
          ...(caller.permissions.has('alerts:read')
            ? { incidents: await loadOpenIncidents(tx, caller, request.query.cluster_id) }
            : {}),
          ...(caller.permissions.has('budgets:read')
            ? { budgets: await loadBudgetStates(tx, caller, request.query.cluster_id) }
            : {}),
          recommendations: caller.permissions.has('recommendations:read')
            ? await loadAdvice(tx, { rows, caller, now: deps.now() })
            : null,
        }
      })
      return sendWithEtag(request, reply, 0, answer)
    },
  })
}

async function loadRows(tx: Db, { clusters: visible }: Caller, clusterId: string | undefined): Promise<ClusterRow[]> {
  if (clusterId === undefined) return listAllClusters(tx, visible)
  const row = await findCluster(tx, clusterId)
  return row ? [row] : []
}

/** The data of a cluster is cached until one of its hours is written or a price is added. */
async function loadPasts(tx: Db, kept: KeptFigures<ClusterPast>, rows: readonly ClusterRow[], now: Date) {
  const since = new Date(now.getTime() - (trendDays + 1) * dayMs)
  const ids = rows.map(({ cluster_id: id }) => id)
  const written = new Map((await listWrittenHours(tx, ids, since)).map((each) => [each.clusterId, each]))
  const today = now.toISOString().slice(0, 10)
  const clusters: KnownCluster[] = []
  for (const row of rows) {
    const hours = written.get(row.cluster_id)
    const load = (newest: Date) => () => loadClusterPast(tx, row.cluster_id, newest, now)
    const past = hours && (await kept.get(row.cluster_id, `${today} ${hours.revision}`, load(hours.newest)))
    clusters.push({ row, past })
  }
  const newest = [...written.values()].map((each) => each.newest).reduce(later, undefined)
  return { clusters, newest }
}

const later = (a: Date | undefined, b: Date): Date => (a !== undefined && a > b ? a : b)

async function loadAdvice(
  tx: Db,
  { rows, caller, now }: { rows: readonly ClusterRow[]; caller: Caller; now: Date },
): Promise<Overview['recommendations']> {
  const clusterIds = rows.map(({ cluster_id: id }) => id)
  const sight = { clusters: clusterIds, namespaces: null }
  const sums = await sumAdvice(tx, clusterIds, now)
  const open = sums.filter(({ status }) => status === 'pending')
  const savings = savingsOf(open)
  const filter = { statuses: ['pending'], awakeAt: now, clusterIds }
  const byWhatLeavesTheBill = savings.bankable_savings === null ? '-estimated_savings' : '-bankable_savings'
  const top = await listRecommendations(tx, sight, filter, {
    sort: byWhatLeavesTheBill,
    after: undefined,
    limit: topShownMax,
  })
  return {
    open: countOf(open),
    approved: countOf(sums) - countOf(open),
    ...savings,
    compute: savingsOf(sums.filter(({ isCompute }) => isCompute)),
    withheld: await countWithheld(tx, sight),
    unsafe: await loadUnsafe(tx, clusterIds, caller),
    plan: await loadPlanSummary(tx, rows, caller),
    top: presentRecommendations(top, caller),
  }
}

const countOf = (sums: readonly AdviceSum[]) => sums.reduce((total, { count }) => total + count, 0)

function savingsOf(sums: readonly AdviceSum[]) {
  const add = (values: readonly string[]) => roundToNumber(values.reduce((total, each) => total + decimal(each), 0n))
  const bankable = sums.flatMap((each) => each.bankable ?? [])
  return {
    estimated_savings: add(sums.map(({ estimated }) => estimated)),
    bankable_savings: bankable.length === 0 ? null : add(bankable),
  }
}
