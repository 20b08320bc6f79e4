import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type SigningKey, operations } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { listSigningKeys } from '../../platform/auth/queries/secrets.ts'
import { deleteAllSessions } from '../../platform/auth/queries/sessions.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

export const signingKeyRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  handle(app, operations.listSigningKeys, {
    handler: async (request) => {
      const { limit, cursor } = request.query
      const scope = { list: 'signing-keys', selection: {} }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listSigningKeys(deps.db, { after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) => encodeCursor(deps.secrets, scope, [last.kid], deps.now()))
      return { signing_keys: shown.map((row) => presentKey(row.kid, row.created_at, row.retires_at)), ...rest }
    },
  })

  handle(app, operations.rotateSigningKey, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const endSessions = request.body?.end_sessions ?? false
        const { kid, createdAt, retiresAt } = await deps.secrets.rotateSigningKey(tx, { endSessions })
        if (endSessions) await deleteAllSessions(tx)
        const target = { type: 'signing_key' as const, id: kid }
        await recordChange(deps, tx, request, {
          action: 'signing_key.rotate',
          target,
          detail: { end_sessions: endSessions },
        })
        return { status: 201, body: presentKey(kid, createdAt, retiresAt) }
      }),
  })
}

function presentKey(kid: string, createdAt: Date, retiresAt: Date | null): SigningKey {
  return { kid, created_at: createdAt.toISOString(), retires_at: retiresAt?.toISOString() ?? null }
}
