import type {
  Allocation,
  ClusterDetail,
  ClusterList,
  IdleCostsAnswer,
  NodeList,
  Overview,
  PolicyList,
  PriceOverrideList,
  Prices,
  Recommendation,
  RecommendationGroup,
  RecommendationGrouping,
  RecommendationGroups,
  RecommendationList,
  RecommendationDetail,
  RuleList,
  Savings,
  WithheldList,
} from '@plimsoll/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { defaultSort, filtersOf, type RecommendationFilters } from '../search.ts'
import { getJson, withQuery } from './client.ts'

/** Figures change with the minute at most; hidden tabs ask for nothing. */
const minuteMs = 60_000
const live = { staleTime: minuteMs / 2, refetchInterval: minuteMs, refetchIntervalInBackground: false } as const

export const clustersQuery = queryOptions({
  queryKey: ['clusters'],
  queryFn: () => getJson<ClusterList>('/api/v1/clusters'),
  ...live,
})

const firstDataMs = 10_000

/** With all that its page shows; until the first data arrive it is asked for more often. */
export const clusterQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['cluster', clusterId],
    queryFn: () => getJson<ClusterDetail>(`/api/v1/clusters/${clusterId}?include=data_quality,install,agent_tokens`),
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && (data.data_quality?.hours.with_data ?? 0) > 0 ? minuteMs : firstDataMs,
  })

export const overviewQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['overview', clusterId],
    queryFn: () => getJson<Overview>(withQuery('/api/v1/overview', { cluster_id: clusterId })),
    placeholderData: keepPreviousData,
    ...live,
  })

/** Names of all that has cost something in the last week, for whoever looks for one of them. */
export const catalogueQuery = queryOptions({
  queryKey: ['catalogue'],
  queryFn: () =>
    getJson<Allocation>(withQuery('/api/v1/allocation', { by: 'namespace,workload', window: '7d', limit: 1000 })),
  staleTime: 5 * minuteMs,
  select: ({ steps }) => {
    const names = steps.flatMap(({ rows }) => rows.map((row) => row.names))
    const workloads = names.flatMap(({ workload = '' }) => {
      const [namespace = '', kind = '', name] = workload.split('/')
      return name === undefined ? [] : [{ namespace, kind, name }]
    })
    return { namespaces: [...new Set(names.flatMap(({ namespace }) => namespace ?? []))].sort(), workloads }
  },
})

export const foundQuery = (text: string) =>
  queryOptions({
    queryKey: ['found', text],
    queryFn: () =>
      getJson<RecommendationList>(
        withQuery('/api/v1/recommendations', { text, status: 'pending,approved', sort: '-bankable_savings', limit: 5 }),
      ),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

const pageSize = 500

/** Nobody has decided on these yet. */
const openStatus = 'pending'

const asked = ({
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

const listPath = (filters: RecommendationFilters, limit: number, cursor?: string, include?: string) =>
  withQuery('/api/v1/recommendations', {
    ...asked(filters),
    sort: filters.sort ?? defaultSort,
    limit,
    cursor,
    include,
  })

/** Page by page; the first one says how much is withheld. */
export const recommendationsQuery = ({ group: _by, ...filters }: RecommendationFilters) =>
  infiniteQueryOptions({
    queryKey: ['recommendations', { ...filters, sort: filters.sort ?? defaultSort }],
    queryFn: ({ pageParam }) =>
      getJson<RecommendationList>(
        listPath(filters, pageSize, pageParam, pageParam === undefined ? 'withheld' : undefined),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: minuteMs / 2,
  })

type DonePage = Pick<RecommendationList, 'recommendations' | 'next_cursor' | 'has_more'>

/** What was done, page by page; the answer about savings holds the first one. */
export const doneQuery = (filters: RecommendationFilters) =>
  infiniteQueryOptions({
    queryKey: ['savings', 'done', filters],
    queryFn: ({ pageParam }) => getJson<DonePage>(listPath(filters, pageSize, pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    staleTime: minuteMs / 2,
  })

/** Every one that matches, however many pages it takes. */
export async function listAllRecommendations(filters: RecommendationFilters): Promise<Recommendation[]> {
  const rows: Recommendation[] = []
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const page: RecommendationList = await getJson(listPath(filters, pageSize, cursor))
    rows.push(...page.recommendations)
    cursor = page.next_cursor ?? undefined
  }
  return rows
}

export const groupsQuery = (filters: RecommendationFilters, by: RecommendationGrouping) =>
  queryOptions({
    queryKey: ['recommendations', 'groups', by, asked(filters)],
    queryFn: () =>
      getJson<RecommendationGroups>(
        withQuery('/api/v1/recommendations/groups', { ...asked(filters), by, include: 'totals,withheld' }),
      ),
    placeholderData: keepPreviousData,
    staleTime: minuteMs / 2,
  })

/** The largest of a group; whoever wants to see more than fit here filters by it. */
export const groupRowsQuery = (filters: RecommendationFilters, group: RecommendationGroup) => {
  const own: RecommendationFilters = { ...filters, ...filtersOf(group) }
  return queryOptions({
    queryKey: ['recommendations', 'group', own],
    queryFn: () => getJson<RecommendationList>(listPath(own, pageSize)),
    staleTime: minuteMs / 2,
  })
}

export const recommendationQuery = (id: string) =>
  queryOptions({
    queryKey: ['recommendation', id],
    queryFn: () =>
      getJson<RecommendationDetail>(`/api/v1/recommendations/${encodeURIComponent(id)}?include=history,also_open`),
    ...live,
  })

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: () => getJson<RuleList>('/api/v1/rules'),
  staleTime: Infinity,
})

type WithheldAsked = { reason?: string; text?: string; limit: number; cursor?: string | undefined }

const withheldPath = (clusterId: string | undefined, asked: WithheldAsked) =>
  withQuery('/api/v1/recommendations/withheld', { cluster_id: clusterId, ...asked })

/** Of one reason, or without one of all; with these words, if there are any. */
export const withheldQuery = (clusterId: string | undefined, { reason, text }: { reason: string; text: string }) =>
  infiniteQueryOptions({
    queryKey: ['withheld', clusterId, reason, text],
    queryFn: ({ pageParam }) =>
      getJson<WithheldList>(withheldPath(clusterId, { limit: pageSize, reason, text, cursor: pageParam })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

export type AllocationAsked = {
  cluster_id?: string | undefined
  by: string
  window: string
  step?: string
  share_idle?: string
  namespace?: string
  limit?: number
  trend?: string
}

export const allocationQuery = (asked: AllocationAsked) =>
  queryOptions({
    queryKey: ['allocation', asked],
    queryFn: () => getJson<Allocation>(withQuery('/api/v1/allocation', asked)),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

export const idleCostsQuery = (clusterId: string, window: string) =>
  queryOptions({
    queryKey: ['idle-costs', clusterId, window],
    queryFn: () =>
      getJson<IdleCostsAnswer>(
        withQuery('/api/v1/idle-costs', { cluster_id: clusterId, window, include: 'workloads' }),
      ),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

export const nodesQuery = (clusterId: string, window: string) =>
  queryOptions({
    queryKey: ['nodes', clusterId, window],
    queryFn: () => getJson<NodeList>(withQuery(`/api/v1/clusters/${clusterId}/nodes`, { window, limit: 500 })),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

/** By month and by day, with the first page of what was done. */
export const savingsQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['savings', clusterId],
    queryFn: () =>
      getJson<Savings>(withQuery('/api/v1/savings', { cluster_id: clusterId, by: 'month', include: 'days,done' })),
    staleTime: minuteMs,
  })

export const pricesQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['prices', clusterId],
    queryFn: () => getJson<Prices>(withQuery('/api/v1/prices', { cluster_id: clusterId, include: 'price_overrides' })),
    staleTime: minuteMs,
  })

/** For an installation without clusters. Otherwise the prices of a cluster come with the overrides. */
export const priceOverridesQuery = queryOptions({
  queryKey: ['price-overrides'],
  queryFn: () => getJson<PriceOverrideList>('/api/v1/price-overrides'),
  staleTime: minuteMs,
})

export const policiesQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['policies', clusterId],
    queryFn: () => listPolicies(clusterId),
    staleTime: minuteMs,
  })

/** All of them: what is not among them would look unset, and setting it would be refused. */
async function listPolicies(clusterId: string): Promise<PolicyList> {
  const ask = (cursor?: string) =>
    getJson<PolicyList>(withQuery('/api/v1/policies', { cluster_id: clusterId, limit: 500, cursor }))
  let list = await ask()
  while (list.next_cursor !== null) {
    const next = await ask(list.next_cursor)
    list = { ...next, policies: [...list.policies, ...next.policies] }
  }
  return list
}
