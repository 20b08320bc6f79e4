import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { isTeamName, operations, type Team } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import { listMissingChannels } from '../../channels/index.ts'
import { demandPermission } from '../../platform/auth/demand-permission.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { presentTeam } from '../present-team.ts'
import { findTeamUses, useTexts } from '../queries/team-uses.ts'
import {
  deleteTeam,
  findTeam,
  lockKnownTeam,
  lockTeam,
  writeTeam,
  type TeamEdit,
  type TeamRow,
} from '../queries/teams.ts'

/** The list of teams has their cost, so costs/routes/teams.ts serves it. */
export const teamRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.getTeam, {
    preParsing: demandOwnTeam,
    handler: async (request, reply) => {
      const row = await findTeam(deps.db, request.params.team)
      if (!row) throw unknownTeam(request.params.team)
      return sendWithEtag(request, reply, row.revision, presentTeam(row))
    },
  })

  handle(app, operations.setTeam, {
    preParsing: [
      demandWholeFleet,
      async (request: FastifyRequest) => {
        if (!isTeamName(teamParam(request))) throw unknownTeam(teamParam(request))
      },
    ],
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { team: name } = request.params
        const before = await lockTeam(tx, name, deps.now())
        demandMatch(request, before.revision)
        const edit = { ...request.body, channel_ids: [...request.body.channel_ids].sort() }
        if (edit.channel_ids.join() !== before.channel_ids.join()) {
          demandPermission(request, 'webhooks:write')
          await demandChannels(tx, request.body.channel_ids)
        }
        await writeTeam(tx, name, edit, deps.now())
        await recordChange(deps, tx, request, {
          action: 'team.update',
          target: { type: 'team', id: name },
          detail: changedFields(editOf(before), edit),
        })
        return { status: 200, ...(await shown(tx, name)) }
      }),
  })

  handle(app, operations.deleteTeam, {
    preParsing: demandWholeFleet,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { team: name } = request.params
        const before = await lockKnownTeam(tx, name)
        if (!before) throw unknownTeam(name)
        demandMatch(request, before.revision)
        await demandUnused(tx, name)
        await deleteTeam(tx, name)
        await recordChange(deps, tx, request, {
          action: 'team.delete',
          target: { type: 'team', id: name },
          detail: { contact: before.contact, cost_center: before.cost_center },
        })
        return { status: 204, body: null }
      }),
  })
}

/** A role without its team would see other cost, and a channel without its team would get all other alerts. */
async function demandUnused(tx: Db, name: string): Promise<void> {
  const uses = await findTeamUses(tx, name)
  const texts = useTexts(uses)
  if (texts.length === 0) return
  const { mappingRules, signInRules, ...named } = uses
  throw new Problem(
    'team_in_use',
    `The team ${quoted(name)} is still named by: ${texts.join('; ')}. Change these first.`,
    {
      members: { uses: { mapping_rules: mappingRules, sign_in_rules: signInRules, ...named } },
    },
  )
}

const teamParam = (request: FastifyRequest) => (request.params as { team: string }).team

/** A role that is limited to clusters or namespaces sees its teams in the list only. */
async function demandOwnTeam(request: FastifyRequest): Promise<void> {
  const { teams } = requestCaller(request)
  if (teams === null) return demandWholeFleet(request)
  if (!teams.includes(teamParam(request))) throw unknownTeam(teamParam(request))
}

async function demandChannels(tx: Db, ids: readonly string[]): Promise<void> {
  const missing = new Set(await listMissingChannels(tx, ids))
  const errors = ids.flatMap((id, index) =>
    missing.has(id)
      ? [{ pointer: `/channel_ids/${index}`, code: 'unknown_channel', detail: `${quoted(id)} is not a channel` }]
      : [],
  )
  const [first] = errors
  if (first) throw new Problem('invalid_body', `${first.pointer}: ${first.detail}.`, { errors: errors.slice(0, 20) })
}

async function shown(tx: Db, name: string): Promise<{ body: Team; revision: number }> {
  const row = await findTeam(tx, name)
  if (!row) throw new Error('the team is missing')
  return { body: presentTeam(row), revision: row.revision }
}

const editOf = ({ contact, cost_center, channel_ids }: TeamRow): TeamEdit => ({ contact, cost_center, channel_ids })

const unknownTeam = (name: string) => new Problem('team_not_found', `There is no team ${quoted(name)}.`)
