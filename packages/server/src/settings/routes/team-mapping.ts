import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type TeamRule, operations } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { loadTeamMapping, lockTeamMapping, presentTeamMapping, writeTeamMapping } from '../queries/team-mapping.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, type FieldError } from '../../platform/http/problem.ts'
import { recordTeams } from '../../teams/index.ts'

export const teamMappingRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  handle(app, operations.getTeamMapping, {
    handler: async (request, reply) => {
      const mapping = await loadTeamMapping(deps.db)
      return sendWithEtag(request, reply, mapping.revision, presentTeamMapping(mapping))
    },
  })

  handle(app, operations.setTeamMapping, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const before = await lockTeamMapping(tx)
        demandMatch(request, before.revision)
        const { rules } = request.body
        demandOneTeam(rules)
        const revision = before.revision + 1
        const now = deps.now()
        await writeTeamMapping(tx, rules, revision, now)
        await recordTeams(
          tx,
          rules.flatMap(({ team }) => team ?? []),
          now,
        )
        const target = { type: 'team_mapping' as const, id: 'teams' }
        await recordChange(deps, tx, request, {
          action: 'team_mapping.replace',
          target,
          detail: { before: { rules: before.rules }, after: { rules } },
        })
        return { status: 200, body: presentTeamMapping({ rules, revision, updatedAt: now }), revision }
      }),
  })
}

/** The schema cannot say that a rule needs exactly one of two fields. */
function demandOneTeam(rules: readonly TeamRule[]): void {
  const errors = rules.flatMap((rule, index): FieldError[] => {
    if ((rule.team === undefined) !== (rule.team_from_label === undefined)) return []
    return [{ pointer: `/rules/${index}`, code: 'team', detail: 'needs either `team` or `team_from_label`' }]
  })
  const [first] = errors
  if (first)
    throw new Problem('invalid_body', `${first.pointer ?? ''}: ${first.detail}.`, { errors: errors.slice(0, 20) })
}
