import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, teamIncludes } from '@plimsoll/contract'
import { callerIdOf } from '../../platform/auth/caller.ts'
import { seesWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { handle } from '../../platform/http/handle.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import type { CostDeps } from '../compute-in-thread.ts'
import { parseWindow } from '../parse-window.ts'
import { sendJson } from './send-json.ts'

/** teams/routes/teams.ts serves one team, without its cost. */
export const teamCostRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  handle(app, operations.listTeams, {
    handler: async (request, reply) => {
      const caller = requestCaller(request)
      const { clusters: callerClusters, namespaces, teams, permissions } = caller
      const parts = severalOf('include', request.query.include, teamIncludes) ?? []
      const isWhole = seesWholeFleet(caller)
      const asked = {
        window: parseWindow({ window: 'month' }, deps.now()),
        callerClusters,
        namespaces,
        teams,
        hasMapping: isWhole && parts.includes('mapping') && permissions.has('settings:read'),
        hasSharing: isWhole && parts.includes('sharing') && permissions.has('settings:read'),
        hasChannels: isWhole && parts.includes('channels') && permissions.has('webhooks:read'),
      }
      const requester = { callerId: callerIdOf(caller), signal: closingSignal(reply) }
      return sendJson(reply, await deps.figuring.teams(asked, requester))
    },
  })
}
