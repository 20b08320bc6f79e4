import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { handle } from '../../platform/http/handle.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { loadTeamMapping, lockTeamMapping, presentCostSharing, writeCostSharing } from '../queries/team-mapping.ts'

export const costSharingRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  handle(app, operations.getCostSharing, {
    handler: async (request, reply) => {
      const mapping = await loadTeamMapping(deps.db)
      return sendWithEtag(request, reply, mapping.revision, presentCostSharing(mapping))
    },
  })

  handle(app, operations.setCostSharing, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const before = await lockTeamMapping(tx)
        demandMatch(request, before.revision)
        const sharing = request.body
        const revision = before.revision + 1
        await writeCostSharing(tx, sharing, revision)
        await enqueue(tx, 'budgets', {})
        await recordChange(deps, tx, request, {
          action: 'cost_sharing.replace',
          target: { type: 'cost_sharing', id: 'sharing' },
          detail: { before: before.sharing, after: sharing },
        })
        return { status: 200, body: presentCostSharing({ sharing, revision }), revision }
      }),
  })
}
