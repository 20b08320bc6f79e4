import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  GroupRecommendationsQuery,
  levelNames,
  ListRecommendationsQuery,
  ListWithheldQuery,
  Preview,
  PreviewBody,
  recommendationCategories,
  RecommendationGroups,
  recommendationGroupsMax,
  RecommendationHistory,
  RecommendationList,
  recommendationPageSize,
  recommendationStatuses,
  RecommendationWithEvidence,
  severityNames,
  WithheldList,
  withheldPageSize,
  type RecommendationGroup,
} from '@plimsoll/contract'
import { withheldReasons } from '@plimsoll/engine'
import { Type, type Static } from 'typebox'
import { findEvidence } from '../db/evidence.ts'
import { sumByGroup, type Grouped } from '../db/recommendation-groups.ts'
import { listHistory } from '../db/recommendation-history.ts'
import {
  listByIds,
  listWithTotals,
  readNearby,
  NONE,
  type RecommendationFilter,
  type StatusTotal,
} from '../db/recommendations.ts'
import { listWithheld, type WithheldKey } from '../db/withheld.ts'
import type { Deps } from '../deps.ts'
import { decodeCursor, encodeCursor, page } from '../http/cursor.ts'
import { sendWithEtag } from '../http/etag.ts'
import { requestCaller } from '../http/request-caller.ts'
import { severalOf } from '../http/several-of.ts'
import { maySee } from '../recommendations/move-recommendations.ts'
import {
  presentHistory,
  presentRecommendation,
  presentWithEvidence,
  presentWithheld,
} from '../recommendations/present-recommendation.ts'
import { visibleClustersOfQuery } from './cluster-access.ts'
import {
  findVisible,
  knownRulesOfQuery,
  recommendationNotFound,
  RecommendationParams,
} from './recommendation-access.ts'

const tags = ['Recommendations']

export const recommendationRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/recommendations',
    {
      schema: {
        summary: 'List recommendations',
        description:
          'Those that save most first. `totals` counts what matches the other filters, by status. Snoozed ones are left out unless asked for.',
        tags,
        querystring: ListRecommendationsQuery,
        response: { 200: RecommendationList },
      },
      preValidation: visibleClustersOfQuery(deps),
      preHandler: knownRulesOfQuery(deps),
    },
    async (request) => {
      const { limit = recommendationPageSize.default, cursor, sort = '-estimated_savings', ...asked } = request.query
      const scope = { list: 'recommendations', selection: { sort, ...asked } }
      const [key, id] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const after = key === undefined || id === undefined ? undefined : { key, id }
      const sight = requestCaller(request)
      const filter = parseFilter(asked, deps.now())
      const { rows, totals } = await readNearby(deps.db, (tx) =>
        listWithTotals(tx, sight, filter, { sort, after, limit: limit + 1 }),
      )
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.sort_key, last.recommendation_id], deps.now()),
      )
      return {
        recommendations: shown.map(presentRecommendation),
        totals: presentTotals(totals),
        currency: 'USD',
        ...rest,
      }
    },
  )

  app.get(
    '/recommendations/groups',
    {
      schema: {
        summary: 'Sum up recommendations by cluster, namespace, workload or rule',
        description: 'Of all that match the filters. What a group holds is listed with its own names as filters.',
        tags,
        querystring: GroupRecommendationsQuery,
        response: { 200: RecommendationGroups },
      },
      preValidation: visibleClustersOfQuery(deps),
      preHandler: knownRulesOfQuery(deps),
    },
    async (request) => {
      const { by, ...asked } = request.query
      const filter = parseFilter(asked, deps.now())
      const { groups, rest } = await readNearby(deps.db, (tx) =>
        sumByGroup(tx, requestCaller(request), filter, by, recommendationGroupsMax),
      )
      return { by, groups: groups.map(presentGroup), rest: presentTotal(rest), currency: 'USD' }
    },
  )

  app.get(
    '/recommendations/:id',
    {
      schema: {
        summary: 'Show a recommendation with its evidence',
        tags,
        params: RecommendationParams,
        response: { 200: RecommendationWithEvidence, 304: Type.Null() },
      },
    },
    async (request, reply) => {
      const row = await findVisible(deps, request)
      const evidence = await findEvidence(deps.db, row.cluster_id, row.recommendation_id)
      return sendWithEtag(request, reply, row.revision, presentWithEvidence(row, evidence))
    },
  )

  app.get(
    '/recommendations/:id/history',
    {
      schema: {
        summary: 'Who moved a recommendation, when and why',
        tags,
        params: RecommendationParams,
        response: { 200: RecommendationHistory },
      },
    },
    async (request) => {
      const row = await findVisible(deps, request)
      const history = await listHistory(deps.db, row.cluster_id, row.recommendation_id)
      return { id: row.recommendation_id, history: history.map(presentHistory) }
    },
  )

  app.get(
    '/recommendations/withheld',
    {
      schema: {
        summary: 'What no advice is given about, why, and what would change that',
        tags,
        querystring: ListWithheldQuery,
        response: { 200: WithheldList },
      },
      preValidation: visibleClustersOfQuery(deps),
      preHandler: knownRulesOfQuery(deps),
    },
    async (request) => {
      const { limit = withheldPageSize.default, cursor, ...asked } = request.query
      const scope = { list: 'withheld', selection: asked }
      const after = withheldKey(decodeCursor(deps.secrets, scope, cursor, deps.now()))
      const filter = {
        clusterIds: asked.cluster_id?.split(','),
        namespaces: asked.namespace?.split(','),
        ruleIds: asked.rule_id?.split(','),
        reasons: severalOf('reason', asked.reason, reasons),
      }
      const rows = await listWithheld(deps.db, requestCaller(request), filter, { after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.cluster_id, last.rule_id, last.target_key], deps.now()),
      )
      return { withheld: shown.map(presentWithheld), ...rest }
    },
  )

  app.post(
    '/recommendations/preview',
    {
      schema: {
        summary: 'What several recommendations would save together',
        description:
          'The scheduler is run again with all of them: `nodes_freed` are the nodes that go beyond those that could go anyway, `blockers` what keeps the rest. `bankable_savings` is null where the agent does not tell what pods demand of nodes, and for more than 20 clusters at once. `estimated_savings` is the sum, as in the totals of the list. A role that is narrowed to namespaces sees no nodes.',
        tags,
        body: PreviewBody,
        response: { 200: Preview },
      },
    },
    async (request) => {
      const ids = [...new Set(request.body.ids)]
      const rows = (await listByIds(deps.db, ids)).filter((row) => maySee(requestCaller(request), row))
      const missing = ids.find((id) => !rows.some((row) => row.recommendation_id === id))
      if (missing !== undefined) throw recommendationNotFound(missing)
      return deps.previewing.preview({ ids, showsNodes: requestCaller(request).namespaces === null })
    },
  )
}

/** What rules say, and that somebody has rejected the advice. */
const reasons = [...withheldReasons, 'rejected']

type Asked = Omit<Static<typeof ListRecommendationsQuery>, 'limit' | 'cursor' | 'sort'>

function parseFilter(asked: Asked, now: Date): RecommendationFilter {
  return {
    statuses: severalOf('status', asked.status, recommendationStatuses),
    clusterIds: asked.cluster_id?.split(','),
    namespaces: asked.namespace?.split(','),
    workloads: asked.workload?.split(','),
    ruleIds: asked.rule_id?.split(','),
    categories: severalOf('category', asked.category, recommendationCategories),
    severities: severalOf('severity', asked.severity, severityNames),
    risks: severalOf('risk', asked.risk, levelNames),
    savingsMin: asked.min_savings,
    text: asked.text,
    awakeAt: asked.include_snoozed ? undefined : now,
  }
}

function presentTotals(totals: readonly StatusTotal[]): RecommendationList['totals'] {
  const of = (status: (typeof recommendationStatuses)[number]) =>
    presentTotal(totals.find((each) => each.status === status))
  return Object.fromEntries(
    recommendationStatuses.map((status) => [status, of(status)]),
  ) as RecommendationList['totals']
}

const presentTotal = (total: Pick<Grouped, 'count' | 'estimated_savings' | 'bankable_savings'> | undefined) => ({
  count: total?.count ?? 0,
  estimated_savings: Number(total?.estimated_savings ?? 0),
  bankable_savings: typeof total?.bankable_savings === 'string' ? Number(total.bankable_savings) : null,
})

function presentGroup(row: Grouped): RecommendationGroup {
  const named = (name: string | null) => (name === '' ? NONE : name)
  const { cluster_id, rule_id } = row
  return { cluster_id, namespace: named(row.namespace), workload: named(row.workload), rule_id, ...presentTotal(row) }
}

function withheldKey(key: string[] | undefined): WithheldKey | undefined {
  const [clusterId, ruleId, targetKey] = key ?? []
  return clusterId === undefined || ruleId === undefined || targetKey === undefined
    ? undefined
    : { clusterId, ruleId, targetKey }
}
