import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type Session } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { deleteSessionOf, listSessions, type SessionRow } from '../../platform/auth/queries/sessions.ts'
import type { Deps } from '../../platform/deps.ts'
import { transactAsCaller } from '../../platform/http/change.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem } from '../../platform/http/problem.ts'
import { requestUser } from '../../platform/http/request-caller.ts'

/** The sessions of the current user. */
export const sessionRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.listSessions, {
    handler: async (request) => {
      const { userId, credentialId } = requestUser(request)
      const rows = await listSessions(deps.db, userId, deps.now())
      return { sessions: rows.map((row) => present(row, credentialId)) }
    },
  })

  handle(app, operations.endSession, {
    handler: async (request, reply) => {
      const { userId } = requestUser(request)
      const { session_id: sessionId } = request.params
      await transactAsCaller(deps, request, async (tx) => {
        if (!(await deleteSessionOf(tx, userId, sessionId)))
          throw new Problem('session_not_found', 'You have no session with this ID. It may have ended.')
        const target = { type: 'session' as const, id: sessionId }
        await recordChange(deps, tx, request, { action: 'session.delete', target })
      })
      return reply.code(204).send(null)
    },
  })
}

const present = (row: SessionRow, currentId: string): Session => ({
  id: row.session_id,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  address: row.address,
  user_agent: row.user_agent,
  is_current: row.session_id === currentId,
  method: row.is_sso ? 'oidc' : 'password',
})
