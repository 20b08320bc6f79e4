import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { auditActions, auditTargetTypes, type AuditAction, operations } from '@plimsoll/contract'
import { listAuditEntries } from './queries.ts'
import type { Deps } from '../platform/deps.ts'
import { decodeCursor, encodeCursor, page } from '../platform/http/cursor.ts'
import { demandForward, severalOf } from '../platform/http/several-of.ts'
import { demandWholeFleet } from '../platform/auth/whole-fleet.ts'
import { handle } from '../platform/http/handle.ts'

const actionNames = Object.keys(auditActions) as AuditAction[]

export const auditRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  handle(app, operations.listAuditEntries, {
    handler: async (request) => {
      const { limit, cursor, ...filters } = request.query
      const scope = { list: 'audit', selection: filters }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      demandForward(filters.from, filters.to)
      const filter = {
        actorIds: filters.actor_id?.split(','),
        actions: severalOf('action', filters.action, actionNames),
        targetTypes: severalOf('target_type', filters.target_type, auditTargetTypes),
        targetIds: filters.target_id?.split(','),
        from: filters.from,
        to: filters.to,
      }
      const rows = await listAuditEntries(deps.db, filter, { after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) => encodeCursor(deps.secrets, scope, [last.id], deps.now()))
      return { entries: shown, ...rest }
    },
  })
}
