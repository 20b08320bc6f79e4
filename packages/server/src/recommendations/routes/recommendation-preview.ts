import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type PreviewBody, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { listByIds, listMatchingIds } from '../queries/recommendations.ts'
import type { Deps } from '../../platform/deps.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { Problem } from '../../platform/http/problem.ts'
import { maySee } from '../move-recommendations.ts'
import { demandVisibleClusters } from '../../clusters/index.ts'
import { demandKnownRules, parseFilter, recommendationNotFound } from '../recommendation-access.ts'
import { handle } from '../../platform/http/handle.ts'

export const recommendationPreviewRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.previewSavings, {
    handler: async (request) => {
      const { ids: own, recommendation_ids: alias, ...filters } = request.body
      if (own && alias) throw idsTwice()
      const named = own ?? alias
      const isFiltered = Object.values(filters).some((filter) => filter !== undefined)
      if (named ? isFiltered : filters.status === undefined) throw idsOrFilters()
      const ids = named ? await visibleIds(deps, request, named) : await matchingIds(deps, request, filters)
      return deps.previewing.preview({ ids, namespaces: requestCaller(request).namespaces })
    },
  })
}

type Filters = Omit<Static<typeof PreviewBody>, 'ids' | 'recommendation_ids'>

async function visibleIds(deps: Deps, request: FastifyRequest, named: readonly string[]): Promise<string[]> {
  const ids = [...new Set(named)]
  const rows = (await listByIds(deps.db, ids)).filter((row) => maySee(requestCaller(request), row))
  const missing = ids.find((id) => !rows.some((row) => row.recommendation_id === id))
  if (missing !== undefined) throw recommendationNotFound(missing)
  return ids
}

/** More than the largest cluster has open; all of them are in memory at once. */
const matchingMax = 50_000

async function matchingIds(deps: Deps, request: FastifyRequest, filters: Filters): Promise<string[]> {
  const filter = await bodyFilter(deps, request, filters)
  const ids = await listMatchingIds(deps.db, requestCaller(request), filter, matchingMax + 1)
  if (ids.length <= matchingMax) return ids
  const detail = `matches more than ${matchingMax} recommendations; add a filter such as cluster_id`
  throw new Problem('invalid_body', `status: ${detail}.`, {
    errors: [{ pointer: '/status', code: 'too_many', detail }],
  })
}

/** Applied and rejected ones change nothing. The filters are those of the list, as members of a body. */
async function bodyFilter(deps: Deps, request: FastifyRequest, filters: Filters) {
  try {
    severalOf('status', filters.status, ['pending', 'approved'])
    await demandVisibleClusters(deps, request, filters.cluster_id)
    await demandKnownRules(deps, filters.rule_id)
    return parseFilter(filters, deps.now())
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'invalid_parameter') throw error
    const errors = (error.extras.errors ?? []).map(({ parameter, ...rest }) => ({ pointer: `/${parameter}`, ...rest }))
    throw new Problem('invalid_body', error.message, { errors })
  }
}

function idsTwice(): Problem {
  const detail = 'is the same as ids; send only one of the two'
  return new Problem('invalid_body', `recommendation_ids: ${detail}.`, {
    errors: [{ pointer: '/recommendation_ids', code: 'combination', detail }],
  })
}

function idsOrFilters(): Problem {
  const detail = 'is required unless status is sent; send only one of the two'
  return new Problem('invalid_body', `ids: ${detail}.`, { errors: [{ pointer: '/ids', code: 'required', detail }] })
}
