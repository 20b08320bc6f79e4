import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  recommendationPageSize,
  alsoOpenMax,
  listIncludes,
  type RecommendationDetail,
  recommendationIncludes,
  operations,
} from '@plimsoll/contract'
import { deliverersOf } from '@plimsoll/engine/manifests'
import type { Db } from '../../platform/db/database.ts'
import { findEvidence } from '../queries/evidence.ts'
import { listHistory } from '../queries/recommendation-history.ts'
import {
  listRecommendations,
  listWithTotals,
  readNearby,
  type RecommendationRow,
  type Sight,
} from '../queries/recommendations.ts'
import { countWithheld } from '../queries/withheld.ts'
import { findWorkloadMetadata } from '../queries/workload-shapes.ts'
import type { Deps } from '../../platform/deps.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { sendWithEtag } from '../../platform/http/etag.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import type { Permissions } from '../allowed-actions.ts'
import { KeptTotals } from '../kept-totals.ts'
import { presentHistory, presentRecommendations, presentWithEvidence } from '../present-recommendation.ts'
import { loadStepReferences } from '../plan-step-reference.ts'
import { presentTotals } from '../present-total.ts'
import { visibleClustersOfQuery } from '../../clusters/index.ts'
import { findVisible, knownRulesOfQuery, parseFilter } from '../recommendation-access.ts'
import { handle } from '../../platform/http/handle.ts'

export const recommendationRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const kept = new KeptTotals()

  handle(app, operations.listRecommendations, {
    preValidation: visibleClustersOfQuery(deps),
    preHandler: knownRulesOfQuery(deps),
    handler: async (request) => {
      const {
        limit = recommendationPageSize.default,
        cursor,
        sort = '-estimated_savings',
        include,
        ...filters
      } = request.query
      const parts = severalOf('include', include, listIncludes) ?? []
      const scope = { list: 'recommendations', selection: { sort, ...filters } }
      const [key, id] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const after = key === undefined || id === undefined ? undefined : { key, id }
      const sight = requestCaller(request)
      const filter = parseFilter(filters, deps.now())
      const { rows, totals } = await readNearby(deps.db, (tx) =>
        listWithTotals(tx, { sight, filter, page: { sort, after, limit: limit + 1 }, sumUp: kept.sumByStatus }),
      )
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.sort_key, last.recommendation_id], deps.now()),
      )
      return {
        recommendations: presentRecommendations(shown, sight, await loadStepReferences(deps.db, shown, sight)),
        totals: presentTotals(totals),
        ...(parts.includes('withheld') ? { withheld: await countWithheld(deps.db, sight, filters.cluster_id) } : {}),
        currency: 'USD',
        ...rest,
      }
    },
  })

  handle(app, operations.getRecommendation, {
    handler: async (request, reply) => {
      const row = await findVisible(deps, request)
      const caller = requestCaller(request)
      const [found, deliverers, steps] = await Promise.all([
        findEvidence(deps.db, row.cluster_id, row.recommendation_id),
        listDeliverers(deps.db, row),
        loadStepReferences(deps.db, [row], caller),
      ])
      const parts = severalOf('include', request.query.include, recommendationIncludes) ?? []
      const detail = await loadBesides(deps, caller, row, parts)
      return sendWithEtag(request, reply, row.revision, {
        ...presentWithEvidence(row, caller, { found, deliverers, steps }),
        ...detail,
      })
    },
  })

  handle(app, operations.getRecommendationHistory, {
    handler: async (request) => {
      const row = await findVisible(deps, request)
      const history = await listHistory(deps.db, row.cluster_id, row.recommendation_id)
      return { id: row.recommendation_id, history: history.map(presentHistory) }
    },
  })
}

type Part = (typeof recommendationIncludes)[number]

/** Further parts of the recommendation page, in the same response. */
async function loadBesides(
  deps: Deps,
  caller: Sight & Permissions,
  row: RecommendationRow,
  parts: readonly Part[],
): Promise<Pick<RecommendationDetail, Part>> {
  const { cluster_id: clusterId, recommendation_id: id } = row
  return {
    ...(parts.includes('history') ? { history: (await listHistory(deps.db, clusterId, id)).map(presentHistory) } : {}),
    ...(parts.includes('also_open')
      ? { also_open: presentRecommendations(await listAlsoOpen(deps, caller, row), caller) }
      : {}),
  }
}

async function listAlsoOpen(deps: Deps, sight: Sight, row: RecommendationRow): Promise<RecommendationRow[]> {
  const { cluster_id: clusterId, namespace, workload_name: workload } = row
  if (workload === null) return []
  const filter = {
    clusterIds: [clusterId],
    namespaces: [namespace],
    workloads: [workload],
    statuses: ['pending', 'approved'],
    awakeAt: deps.now(),
  }
  const page = { sort: '-bankable_savings', after: undefined, limit: alsoOpenMax + 1 } as const
  const open = await listRecommendations(deps.db, sight, filter, page)
  return open.filter(({ recommendation_id: id }) => id !== row.recommendation_id).slice(0, alsoOpenMax)
}

/** A single look-up by key, which the list does not make. */
async function listDeliverers(db: Db, row: RecommendationRow) {
  const { cluster_id: clusterId, namespace, workload_kind: kind, workload_name: name } = row
  const metadata =
    kind === null || name === null ? undefined : await findWorkloadMetadata(db, clusterId, { namespace, kind, name })
  return metadata ? deliverersOf(metadata) : []
}
