import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { withheldPageSize, operations } from '@plimsoll/contract'
import { RULES, withheldReasons } from '@plimsoll/engine/rules'
import { readAtOnce } from '../../ingest/index.ts'
import { countWithheldReasons, listWithheld, type WithheldKey } from '../queries/withheld.ts'
import type { Deps } from '../../platform/deps.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { presentWithheld } from '../present-recommendation.ts'
import { visibleClustersOfQuery } from '../../clusters/index.ts'
import { knownRulesOfQuery } from '../recommendation-access.ts'
import { handle } from '../../platform/http/handle.ts'

export const withheldRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.listWithheld, {
    preValidation: visibleClustersOfQuery(deps),
    preHandler: knownRulesOfQuery(deps),
    handler: async (request) => {
      const { limit = withheldPageSize.default, cursor, ...filters } = request.query
      const scope = { list: 'withheld', selection: filters }
      const after = withheldKey(decodeCursor(deps.secrets, scope, cursor, deps.now()))
      const filter = {
        clusterIds: filters.cluster_id?.split(','),
        namespaces: filters.namespace?.split(','),
        ruleIds: filters.rule_id?.split(','),
        reasons: severalOf('reason', filters.reason, reasons),
        words: filters.text?.split(/\s+/).filter((word) => word !== ''),
        ruleTitles,
      }
      const sight = requestCaller(request)
      const [rows, counts] = await readAtOnce(deps.db, async (tx) => [
        await listWithheld(tx, sight, filter, { after, limit: limit + 1 }),
        after === undefined ? await countWithheldReasons(tx, sight, filter) : null,
      ])
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.cluster_id, last.rule_id, last.target_key], deps.now()),
      )
      return { withheld: shown.map(presentWithheld), counts, ...rest }
    },
  })
}

/** The reasons of rules, and suppression after a rejection or a revert. */
const reasons = [...withheldReasons, 'rejected', 'taken_back']

const ruleTitles = Object.fromEntries(RULES.map(({ id, title }) => [id, title]))

function withheldKey(key: string[] | undefined): WithheldKey | undefined {
  const [clusterId, ruleId, targetKey] = key ?? []
  return clusterId === undefined || ruleId === undefined || targetKey === undefined
    ? undefined
    : { clusterId, ruleId, targetKey }
}
