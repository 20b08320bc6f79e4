import type {
  Allocation,
  ClusterList,
  DataQuality,
  IdleCosts,
  NodeList,
  Overview,
  PolicyList,
  Preview,
  PriceOverrideList,
  Prices,
  Recommendation,
  RecommendationGroup,
  RecommendationGrouping,
  RecommendationGroups,
  RecommendationHistory,
  RecommendationList,
  RecommendationWithEvidence,
  RuleList,
  Savings,
  WithheldList,
  WorkloadList,
} from '@plimsoll/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { defaultSort, filtersOf } from '../search.ts'
import { getJson, postJson, withQuery } from './client.ts'
import { countAll } from './count-all.ts'

/** Figures change with the minute at most; hidden tabs ask for nothing. */
const minuteMs = 60_000
const live = { staleTime: minuteMs / 2, refetchInterval: minuteMs, refetchIntervalInBackground: false } as const

export const clustersQuery = queryOptions({
  queryKey: ['clusters'],
  queryFn: () => getJson<ClusterList>('/api/v1/clusters'),
  ...live,
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

export type RecommendationFilters = {
  cluster?: string | undefined
  status?: string | undefined
  risk?: string | undefined
  category?: string | undefined
  rule?: string | undefined
  namespace?: string | undefined
  workload?: string | undefined
  verification?: string | undefined
  min?: number | undefined
  text?: string | undefined
  sort?: string | undefined
  group?: string | undefined
}

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

/** What those that match save together. The scheduler is run for it, so it takes a moment. */
export const togetherQuery = (filters: RecommendationFilters) =>
  queryOptions({
    queryKey: ['recommendations', 'together', asked(filters)],
    queryFn: () => postJson<Preview>('/api/v1/recommendations/preview', asked(filters)),
    staleTime: minuteMs,
  })

const listPath = (filters: RecommendationFilters, limit: number, cursor?: string) =>
  withQuery('/api/v1/recommendations', {
    ...asked(filters),
    sort: filters.sort ?? defaultSort,
    limit,
    cursor,
  })

/** Page by page; with a limit of one, as good as only the totals. */
export const recommendationsQuery = ({ group: _by, ...filters }: RecommendationFilters, limit = pageSize) =>
  infiniteQueryOptions({
    queryKey: ['recommendations', { ...filters, sort: filters.sort ?? defaultSort }, limit],
    queryFn: ({ pageParam }) => getJson<RecommendationList>(listPath(filters, limit, pageParam)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next_cursor ?? undefined,
    placeholderData: keepPreviousData,
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
      getJson<RecommendationGroups>(withQuery('/api/v1/recommendations/groups', { ...asked(filters), by })),
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
    queryFn: () => getJson<RecommendationWithEvidence>(`/api/v1/recommendations/${encodeURIComponent(id)}`),
    ...live,
  })

const besideMax = 10

/** What else is open for its workload, this one included. */
export const besideQuery = ({ cluster_id, namespace, workload }: Recommendation) =>
  queryOptions({
    queryKey: ['recommendations', 'beside', cluster_id, namespace, workload?.name],
    queryFn: () =>
      getJson<RecommendationList>(
        listPath({ cluster: cluster_id, namespace, workload: workload?.name, status: 'pending,approved' }, besideMax),
      ),
    staleTime: minuteMs / 2,
  })

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['recommendation', id, 'history'],
    queryFn: () => getJson<RecommendationHistory>(`/api/v1/recommendations/${encodeURIComponent(id)}/history`),
    staleTime: minuteMs / 2,
  })

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: () => getJson<RuleList>('/api/v1/rules'),
  staleTime: Infinity,
})

type WithheldAsked = { reason?: string; text?: string; limit: number; cursor?: string | undefined }

const withheldPath = (clusterId: string | undefined, asked: WithheldAsked) =>
  withQuery('/api/v1/recommendations/withheld', { cluster_id: clusterId, ...asked })

/** Only how many there are. */
export const withheldCountQuery = (clusterId: string | undefined) =>
  queryOptions({
    queryKey: ['withheld', 'count', clusterId],
    queryFn: () => getJson<WithheldList>(withheldPath(clusterId, { limit: 1 })),
    select: ({ counts }) => countAll(counts),
    staleTime: minuteMs,
  })

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
    queryFn: () => getJson<IdleCosts>(withQuery('/api/v1/idle-costs', { cluster_id: clusterId, window })),
    placeholderData: keepPreviousData,
    staleTime: minuteMs,
  })

/** Those that cost most: what is small says little in a picture. */
export const workloadsQuery = (clusterId: string, window: string) =>
  queryOptions({
    queryKey: ['workloads', clusterId, window],
    queryFn: () => getJson<WorkloadList>(withQuery(`/api/v1/clusters/${clusterId}/workloads`, { window, limit: 500 })),
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

export const dataQualityQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['data-quality', clusterId],
    queryFn: () => getJson<DataQuality>(`/api/v1/clusters/${clusterId}/data-quality`),
    staleTime: minuteMs,
  })

export const savingsQuery = (clusterId: string | undefined, by: 'month' | 'day') =>
  queryOptions({
    queryKey: ['savings', clusterId, by],
    queryFn: () => getJson<Savings>(withQuery('/api/v1/savings', { cluster_id: clusterId, by })),
    staleTime: minuteMs,
  })

export const pricesQuery = (clusterId: string) =>
  queryOptions({
    queryKey: ['prices', clusterId],
    queryFn: () => getJson<Prices>(withQuery('/api/v1/prices', { cluster_id: clusterId })),
    staleTime: minuteMs,
  })

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
