import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuditList, ListAuditQuery } from '@plimsoll/contract'
import { listAuditEntries } from '../db/audit.ts'
import type { Deps } from '../deps.ts'
import { decodeCursor, encodeCursor, page } from '../http/cursor.ts'
import { demandWholeFleet } from './whole-fleet.ts'

export const auditRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  app.get(
    '/audit',
    {
      schema: {
        summary: 'Who did what to what, newest first',
        tags: ['Audit'],
        querystring: ListAuditQuery,
        response: { 200: AuditList },
      },
    },
    async (request) => {
      const { limit, cursor, ...filters } = request.query
      const scope = { list: 'audit', selection: filters }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const filter = {
        actorId: filters.actor_id,
        actions: filters.action?.split(','),
        targetType: filters.target_type,
        targetId: filters.target_id,
        from: filters.from,
        to: filters.to,
      }
      const rows = await listAuditEntries(deps.db, filter, { after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) => encodeCursor(deps.secrets, scope, [last.id], deps.now()))
      return { entries: shown, ...rest }
    },
  )
}
