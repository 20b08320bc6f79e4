import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type RoleOfGroup, type SignInRules } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { demandCovers, toGrant } from '../../platform/auth/grants.ts'
import type { Grant } from '../../platform/auth/caller.ts'
import { findRole } from '../../platform/auth/queries/roles.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, sendWithEtag, withEtag } from '../../platform/http/etag.ts'
import { notAllowed } from '../../platform/http/gate.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { recordTeams } from '../../teams/index.ts'
import { lockPeopleFor } from '../people-access.ts'
import { loadSignInRules, lockSignInRules, writeSignInRules, type StoredSignInRules } from '../queries/sign-in-rules.ts'

export const signInRuleRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)

  handle(app, operations.getSignInRules, {
    handler: async (request, reply) => {
      const rules = await loadSignInRules(deps.db)
      return sendWithEtag(request, reply, rules.revision, present(rules))
    },
  })

  handle(app, operations.setSignInRules, {
    preParsing: async (request) => demandPerson(request),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const caller = await lockPeopleFor(deps, tx, request)
        const before = await lockSignInRules(tx)
        demandMatch(request, before.revision)
        const { roles, teams } = request.body
        demandUsefulRules(request.body)
        await demandGrantable(tx, caller, { before: before.roles, after: roles })
        const after = { roles, teams, revision: before.revision + 1, updatedAt: deps.now() }
        await writeSignInRules(tx, after)
        await recordTeams(
          tx,
          teams.map(({ team }) => team),
          deps.now(),
        )
        await recordChange(deps, tx, request, {
          action: 'sign_in_rules.replace',
          target: { type: 'sign_in_rules', id: 'groups' },
          detail: { before: { roles: before.roles, teams: before.teams }, after: { roles, teams } },
        })
        return { status: 200, body: present(after), revision: after.revision }
      }),
  })
}

/** A rule that never applies is a mistake. */
function demandUsefulRules({ roles, teams }: Pick<SignInRules, 'roles' | 'teams'>): void {
  const repeated = roles.flatMap(({ group }, index) => {
    const first = roles.findIndex((each) => each.group === group)
    return first === index
      ? []
      : [{ pointer: `/roles/${index}/group`, code: 'duplicate', detail: `the group has rule ${first + 1} already` }]
  })
  const useless = roles.flatMap(({ own_teams_only: isLimited }, index) =>
    isLimited === true && teams.length === 0
      ? [{ pointer: `/roles/${index}/own_teams_only`, code: 'no_teams', detail: 'no group has a team' }]
      : [],
  )
  demandNoErrors([...repeated, ...useless])
}

function demandNoErrors(errors: readonly FieldError[]): void {
  const [first] = errors
  if (first)
    throw new Problem('invalid_body', `${first.pointer ?? ''}: ${first.detail}.`, { errors: errors.slice(0, 20) })
}

/** A leaked key must not give lasting access to a group. */
function demandPerson(request: FastifyRequest): void {
  const caller = requestUser(request)
  if (caller.kind !== 'person') throw notAllowed(caller)
}

/** A caller can neither add nor remove a rule whose role has more permissions than the caller. */
async function demandGrantable(
  tx: Db,
  caller: Grant,
  { before, after }: { before: readonly RoleOfGroup[]; after: readonly RoleOfGroup[] },
): Promise<void> {
  const errors: FieldError[] = []
  for (const [index, { role: name }] of after.entries()) {
    const role = await findRole(tx, name)
    if (role) demandCovers(caller, toGrant(role), `The role '${name}'`)
    else errors.push({ pointer: `/roles/${index}/role`, code: 'unknown_role', detail: `${quoted(name)} is not a role` })
  }
  demandNoErrors(errors)
  for (const { role: name } of before) {
    const role = await findRole(tx, name)
    if (role) demandCovers(caller, toGrant(role), `The role '${name}'`)
  }
}

const present = ({ roles, teams, revision, updatedAt }: StoredSignInRules): SignInRules =>
  withEtag(revision, {
    roles,
    teams,
    updated_at: revision === 0 ? null : (updatedAt?.toISOString() ?? null),
  })
