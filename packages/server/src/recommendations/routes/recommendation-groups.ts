import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { groupIncludes, recommendationGroupsMax, type RecommendationGroup, operations } from '@plimsoll/contract'
import { ruleShortName } from '@plimsoll/engine/rules'
import { sumByGroup, type Grouped } from '../queries/recommendation-groups.ts'
import { NONE, readNearby, sumByStatus } from '../queries/recommendations.ts'
import { countWithheld } from '../queries/withheld.ts'
import type { Deps } from '../../platform/deps.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { presentTotal, presentTotals } from '../present-total.ts'
import { visibleClustersOfQuery } from '../../clusters/index.ts'
import { knownRulesOfQuery, parseFilter } from '../recommendation-access.ts'
import { handle } from '../../platform/http/handle.ts'

export const recommendationGroupRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.groupRecommendations, {
    preValidation: visibleClustersOfQuery(deps),
    preHandler: knownRulesOfQuery(deps),
    handler: async (request) => {
      const { by, include, ...filters } = request.query
      const parts = severalOf('include', include, groupIncludes) ?? []
      const sight = requestCaller(request)
      const filter = parseFilter(filters, deps.now())
      const { groups, rest } = await readNearby(deps.db, (tx) =>
        sumByGroup(tx, { sight, filter, by, limit: recommendationGroupsMax }),
      )
      return {
        by,
        groups: groups.map(presentGroup),
        rest: presentTotal(rest),
        ...(parts.includes('totals') ? { totals: presentTotals(await sumByStatus(deps.db, sight, filter)) } : {}),
        ...(parts.includes('withheld') ? { withheld: await countWithheld(deps.db, sight, filters.cluster_id) } : {}),
        currency: 'USD',
      }
    },
  })
}

export function presentGroup(row: Grouped): RecommendationGroup {
  const named = (name: string | null) => (name === '' ? NONE : name)
  const { cluster_id, rule_id } = row
  const names = { namespace: named(row.namespace), workload: named(row.workload) }
  const rule_name = rule_id === null ? null : ruleShortName(rule_id)
  return { cluster_id, ...names, rule_id, rule_name, verification: named(row.verification), ...presentTotal(row) }
}
