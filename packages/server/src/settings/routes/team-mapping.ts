import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TeamMapping, operations } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { loadTeamMapping, lockTeamMapping, writeTeamMapping, type StoredTeamMapping } from '../queries/team-mapping.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

export const teamMappingRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  handle(app, operations.getTeamMapping, {
    handler: async (request, reply) => {
      const mapping = await loadTeamMapping(deps.db)
      return sendWithEtag(request, reply, mapping.revision, present(mapping))
    },
  })

  handle(app, operations.setTeamMapping, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const before = await lockTeamMapping(tx)
        demandMatch(request, before.revision)
        const { rules } = request.body
        const revision = before.revision + 1
        const now = deps.now()
        await writeTeamMapping(tx, rules, revision, now)
        const target = { type: 'team_mapping' as const, id: 'teams' }
        await recordChange(deps, tx, request, {
          action: 'team_mapping.replace',
          target,
          detail: { before: { rules: before.rules }, after: { rules } },
        })
        return { status: 200, body: present({ rules, revision, updatedAt: now }), revision }
      }),
  })
}

const present = ({ rules, revision, updatedAt }: StoredTeamMapping): TeamMapping => ({
  rules,
  updated_at: revision === 0 ? null : (updatedAt?.toISOString() ?? null),
})
