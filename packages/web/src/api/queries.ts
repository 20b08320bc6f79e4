import { minuteMs } from '../format/time.ts'
import type {
  BudgetPeriod,
  ClusterNode,
  CostScope,
  NodeList,
  PolicyList,
  Recommendation,
  RecommendationGroup,
  RecommendationGrouping,
  RecommendationList,
  RecommendationSort,
  WindowName,
  WorkloadCost,
  WorkloadList,
} from '@plimsoll/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { BillWindows } from '../format/bill-windows.ts'
import { defaultSort, filtersOf, type RecommendationFilters } from '../url-parameters.ts'
import { api } from './client.ts'
import { shownPlan, shownPlans, type ShownPlan } from './shown-plan.ts'

/** Figures change at most once per minute. Hidden tabs send no requests. */
const live = { staleTime: minuteMs / 2, refetchInterval: minuteMs, refetchIntervalInBackground: false } as const

export const clustersQuery = queryOptions({
  queryKey: ['clusters'],
  queryFn: () => api.listClusters(),
  ...live,
})

const firstDataMs = 10_000

/** Includes everything that the cluster page shows. Polls more often until the first data arrive. */
export const clusterQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['cluster', clusterId],
    queryFn: () =>
      api.getCluster({ params: { cluster_id: clusterId }, query: { include: 'data_quality,install,agent_tokens' } }),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.data_quality?.hours.with_data ?? 0) > 0 ? minuteMs : firstDataMs,
  })

export const overviewQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['overview', clusterId],
    queryFn: () => api.getOverview({ query: { cluster_id: clusterId } }),
    placeholderData: keepPreviousData,
    ...live,
  })

export const teamsQuery = queryOptions({
  queryKey: ['teams'],
  queryFn: () => api.listTeams({ query: { include: 'mapping,channels,sharing' } }),
})

export const budgetsQuery = queryOptions({ queryKey: ['budgets'], queryFn: () => api.listBudgets(), ...live })

export const viewsQuery = queryOptions({ queryKey: ['views'], queryFn: () => api.listViews() })

export const statementsQuery = (month: string | undefined, include?: 'sheets') =>
  queryOptions({
    queryKey: ['statements', month, include],
    queryFn: () => api.listStatements({ query: { month, include } }),
    placeholderData: keepPreviousData,
    ...live,
  })

export const statementQuery = (month: string, team: string) =>
  queryOptions({
    queryKey: ['statements', month, 'team', team],
    queryFn: () => api.getStatement({ params: { month, team } }),
    ...live,
  })

export const budgetHistoryQuery = (budgetId: string) =>
  queryOptions({
    queryKey: ['budgets', budgetId, 'history'],
    queryFn: () => api.getBudgetHistory({ params: { budget_id: budgetId } }),
  })

export const budgetPreviewQuery = (body: { scope: CostScope; share: boolean; period: BudgetPeriod }) =>
  queryOptions({
    queryKey: ['budget-preview', body],
    queryFn: ({ signal }) => api.previewBudget({ body, signal }),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

/** Names of the workloads, namespaces and teams with a cost in the last week. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: () => api.getAllocation({ query: { by: 'namespace,workload,team', window: '7d', limit: 1000 } }),
  staleTime: 5 * minuteMs,
  select: ({ steps }) => {
    const names = steps.flatMap(({ rows }) => rows.map((row) => row.names))
    const workloads = names.flatMap(({ workload = '' }) => {
      const [namespace = '', kind = '', name] = workload.split('/')
      return name === undefined ? [] : [{ namespace, kind, name }]
    })
    const different = (dimension: string) =>
      [...new Set(names.flatMap((each) => each[dimension] ?? []))].filter((name) => !name.startsWith('__')).sort()
    return { namespaces: different('namespace'), teams: different('team'), workloads }
  },
})

/** A test compares the number with the contract, which is too large for the first bundle. */
export const searchLettersMin = 2

/** Objects by name. While the next text is searched, the results of the last one stay. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', text],
    queryFn: ({ signal }) => api.searchByName({ query: { q: text }, signal }),
    enabled: [...text].length >= searchLettersMin,
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

/** The plan of one cluster, or the steps of all clusters in one order. */
export const planQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['plan', clusterId],
    queryFn: async (): Promise<ShownPlan> =>
      clusterId === undefined
        ? shownPlans(await api.listPlans())
        : shownPlan(await api.getPlan({ params: { cluster_id: clusterId } })),
    placeholderData: keepPreviousData,
    ...live,
  })

const pageSize = 500

/** Recommendations without a decision. */
const openStatus = 'pending'

/** The filters of the URL as parameters of the API. */
const apiFilters = ({
  cluster,
  status = openStatus,
  rule,
  min,
  sort: _order,
  group: _by,
  ...same
}: RecommendationFilters) => ({
  ...same,
  status,
  cluster_id: cluster,
  rule_id: rule,
  min_savings: min,
})

const listPage = (filters: RecommendationFilters, cursor?: string, include?: string) =>
  api.listRecommendations({
    query: {
      ...apiFilters(filters),
      sort: (filters.sort ?? defaultSort) as RecommendationSort,
      limit: pageSize,
      cursor,
      include,
    },
  })

/** Loaded page by page. The first page has the number of withheld recommendations. */
export const recommendationsQuery = ({ group: _by, ...filters }: RecommendationFilters) =>
  infiniteQueryOptions({
    queryKey: ['recommendations', { ...filters, sort: filters.sort ?? defaultSort }],
    queryFn: ({ pageParam }) => listPage(filters, pageParam, pageParam === undefined ? 'withheld' : undefined),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: minuteMs / 2,
  })

type DonePage = Pick<RecommendationList, 'recommendations' | 'next_cursor' | 'has_more'>

/** Applied changes, page by page. The savings response includes the first page. */
export const doneQuery = (filters: RecommendationFilters) =>
  infiniteQueryOptions({
    queryKey: ['savings', 'done', filters],
    queryFn: ({ pageParam }): Promise<DonePage> => listPage(filters, pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: minuteMs / 2,
  })

/** Loads all pages. */
export async function listAllRecommendations(filters: RecommendationFilters): Promise<Recommendation[]> {
  const rows: Recommendation[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page: RecommendationList = await listPage(filters, cursor)
    rows.push(...page.recommendations)
    cursor = page.next_cursor ?? undefined
  }
  return rows
}

export const groupsQuery = (filters: RecommendationFilters, by: RecommendationGrouping) =>
  queryOptions({
    queryKey: ['recommendations', 'groups', by, apiFilters(filters)],
    queryFn: () => api.groupRecommendations({ query: { ...apiFilters(filters), by, include: 'totals,withheld' } }),
    placeholderData: keepPreviousData,
    staleTime: minuteMs / 2,
  })

/** The largest recommendations of a group. A filter by the group lists all of them. */
export const groupRowsQuery = (filters: RecommendationFilters, group: RecommendationGroup) => {
  const own: RecommendationFilters = { ...filters, ...filtersOf(group) }
  return queryOptions({
    queryKey: ['recommendations', 'group', own],
    queryFn: () => listPage(own),
    staleTime: minuteMs / 2,
  })
}

export const recommendationQuery = (id: string) =>
  queryOptions({
    queryKey: ['recommendation', id],
    queryFn: () => api.getRecommendation({ params: { id }, query: { include: 'history,also_open' } }),
    ...live,
  })

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: () => api.listRules(),
  staleTime: Infinity,
})

/** Filtered by reason and search text, if set. */
export const withheldQuery = (clusterId: string | undefined, { reason, text }: { reason: string; text: string }) =>
  infiniteQueryOptions({
    queryKey: ['withheld', clusterId, reason, text],
    queryFn: ({ pageParam }) =>
      api.listWithheld({ query: { cluster_id: clusterId, limit: pageSize, reason, text, cursor: pageParam } }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

/** Filters come from the URL, so they may be invalid. The service rejects unknown values. */
export const explorerQuery = (query: Record<string, string | undefined>) =>
  queryOptions({
    queryKey: ['allocation', query],
    queryFn: () => api.getAllocation({ query }),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

export const changesQuery = (query: Record<string, string | undefined>) =>
  queryOptions({
    queryKey: ['changes', query],
    queryFn: () => api.getChanges({ query }),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

/** The quantities and prices behind a cost. */
export const explainQuery = (
  clusterId: string,
  query: { namespace?: string; workload?: string; from: string; to: string },
) =>
  queryOptions({
    queryKey: ['explain', clusterId, query],
    queryFn: () => api.explainCost({ params: { cluster_id: clusterId }, query }),
    staleTime: minuteMs,
  })

export const idleCostsQuery = (clusterId: string, window: string) =>
  queryOptions({
    queryKey: ['idle-costs', clusterId, window],
    queryFn: () =>
      api.getIdleCosts({ query: { cluster_id: clusterId, window: window as WindowName, include: 'workloads' } }),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

export const nodesQuery = (clusterId: string, window: string) =>
  queryOptions({
    queryKey: ['nodes', clusterId, window],
    queryFn: () =>
      api.listNodes({ params: { cluster_id: clusterId }, query: { window: window as WindowName, limit: 500 } }),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

type Window = { from: string; to: string }

/** Loads all pages. */
export async function listAllNodes(clusterId: string, { from, to }: Window): Promise<ClusterNode[]> {
  const rows: ClusterNode[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page: NodeList = await api.listNodes({
      params: { cluster_id: clusterId },
      query: { from, to, limit: pageSize, cursor },
    })
    rows.push(...page.nodes)
    cursor = page.next_cursor ?? undefined
  }
  return rows
}

/** Loads all pages. */
export async function listAllWorkloads(clusterId: string, { from, to }: Window): Promise<WorkloadCost[]> {
  const rows: WorkloadCost[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page: WorkloadList = await api.listWorkloads({
      params: { cluster_id: clusterId },
      query: { from, to, limit: pageSize, cursor },
    })
    rows.push(...page.workloads)
    cursor = page.next_cursor ?? undefined
  }
  return rows
}

/** By month and by day, with the applied steps and the first page of applied changes. */
export const savingsQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['savings', clusterId],
    queryFn: () => api.getSavings({ query: { cluster_id: clusterId, by: 'month', include: 'days,done,steps' } }),
    staleTime: minuteMs,
  })

/** The change of the whole bill between two windows. */
export const billChangeQuery = (clusterId: string | undefined, windows: BillWindows) =>
  queryOptions({
    queryKey: ['changes', clusterId, windows],
    queryFn: () => api.getChanges({ query: { cluster_id: clusterId, ...windows, by: 'none', limit: 1 } }),
    staleTime: minuteMs,
    placeholderData: keepPreviousData,
  })

export const pricesQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['prices', clusterId],
    queryFn: () => api.getPrices({ query: { cluster_id: clusterId, include: 'price_overrides' } }),
    staleTime: minuteMs,
  })

/** For an installation without clusters. Otherwise the prices of a cluster come with the overrides. */
export const priceOverridesQuery = queryOptions({
  queryKey: ['price-overrides'],
  queryFn: () => api.listPriceOverrides(),
  staleTime: minuteMs,
})

/** Includes everything that the page of alerts shows. */
export const alertsPageQuery = queryOptions({
  queryKey: ['alerts-page'],
  queryFn: () => api.listAlertRules({ query: { include: 'alerts,channels' } }),
  ...live,
})

/** Open incidents of one cluster, or of all. */
export const incidentsQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['incidents', clusterId],
    queryFn: () =>
      api.listAlerts({
        query: {
          state: 'open',
          rule: 'cost_above_expected',
          ...(clusterId === undefined ? {} : { cluster_id: clusterId }),
        },
      }),
    select: ({ alerts }) => alerts.filter(({ state }) => state === 'firing'),
    ...live,
  })

export const deliveriesQuery = (channelId: string) =>
  queryOptions({
    queryKey: ['deliveries', channelId],
    queryFn: () => api.listDeliveries({ params: { channel_id: channelId } }),
    ...live,
  })

export const policiesQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['policies', clusterId],
    queryFn: () => listPolicies(clusterId),
    staleTime: minuteMs,
  })

/** Loads all pages: a missing policy would look unset, and saving it would fail. */
async function listPolicies(clusterId: string): Promise<PolicyList> {
  const ask = (cursor?: string) => api.listPolicies({ query: { cluster_id: clusterId, limit: 500, cursor } })
  let list = await ask()
  while (list.next_cursor !== null) {
    const next = await ask(list.next_cursor)
    list = { ...next, policies: [...list.policies, ...next.policies] }
  }
  return list
}
