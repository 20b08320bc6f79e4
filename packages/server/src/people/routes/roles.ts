import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { usedPermissions, type Role, operations } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import type { Grant } from '../../platform/auth/caller.ts'
import { demandCovers, toGrant } from '../../platform/auth/grants.ts'
import { listMissingClusters } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  deleteRole,
  findRole,
  insertRole,
  listRoleHolders,
  listRoles,
  updateRole,
  type RoleGrant,
  type RoleRow,
} from '../../platform/auth/queries/roles.ts'
import type { Deps } from '../../platform/deps.ts'
import { allWrongFields } from '../../platform/http/all-wrong-fields.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { recordTeams } from '../../teams/index.ts'
import { loadSignInRules } from '../queries/sign-in-rules.ts'
import { lockPeopleFor } from '../people-access.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

const holdersNamedMax = 20

export const roleRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)
  const preParsing = async (request: FastifyRequest) => {
    await demandRole(deps.db, (request.params as { role: string }).role)
  }

  handle(app, operations.listRoles, {
    handler: async (request) => {
      const { limit, cursor } = request.query
      const scope = { list: 'roles', selection: {} }
      const [kind, name] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const after = name === undefined ? undefined : { built_in: kind === 'built-in', name }
      const rows = await listRoles(deps.db, { after, limit: limit + 1 })
      const { shown: roles, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.built_in ? 'built-in' : 'custom', last.name], deps.now()),
      )
      return { roles: roles.map(presentRole), permissions: [...usedPermissions], ...rest }
    },
  })

  handle(app, operations.createRole, {
    ...allWrongFields(({ clusters }) => wrongClusters(deps.db, clusters)),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const caller = await lockPeopleFor(deps, tx, request)
        const { name, permissions, clusters = null, namespaces = null, teams = null } = request.body
        const grant = { permissions, clusters, namespaces, teams }
        await demandGrantable(tx, caller, name, grant)
        if (!(await insertRole(tx, name, grant, deps.now()))) throw nameTaken(name)
        await recordTeams(tx, teams ?? [], deps.now())
        await recordChange(deps, tx, request, {
          action: 'role.create',
          target: { type: 'role', id: name },
          detail: grant,
        })
        const headers = { location: pathOf(routes.getRole, { role: name }) }
        return { status: 201, headers, ...shown(await demandRole(tx, name)), resourceId: name }
      }),
  })

  handle(app, operations.getRole, {
    handler: async (request, reply) => {
      const row = await demandRole(deps.db, request.params.role)
      return sendWithEtag(request, reply, row.revision, presentRole(row))
    },
  })

  handle(app, operations.updateRole, {
    preParsing,
    ...allWrongFields(({ clusters }) => wrongClusters(deps.db, clusters)),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { role, caller } = await lockedCustomRole(deps, tx, request)
        const before = grantOf(role)
        const grant = { ...before, ...request.body }
        await demandGrantable(tx, caller, role.name, grant)
        await updateRole(tx, role.name, grant, deps.now())
        await recordTeams(tx, grant.teams ?? [], deps.now())
        const target = { type: 'role' as const, id: role.name }
        const detail = changedFields(before, grant)
        await recordChange(deps, tx, request, { action: 'role.update', target, detail })
        return { status: 200, ...shown(await demandRole(tx, role.name)) }
      }),
  })

  handle(app, operations.deleteRole, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { role } = await lockedCustomRole(deps, tx, request)
        const { name } = role
        const holders = await listRoleHolders(tx, name, holdersNamedMax + 1)
        if (holders.length > 0) throw inUse(name, holders)
        await demandNoSignInRule(tx, name)
        await deleteRole(tx, name)
        const target = { type: 'role' as const, id: name }
        await recordChange(deps, tx, request, { action: 'role.delete', target, detail: grantOf(role) })
        return { status: 204, body: null }
      }),
  })
}

async function lockedCustomRole(deps: Deps, tx: Db, request: FastifyRequest) {
  const caller = await lockPeopleFor(deps, tx, request)
  const role = await demandRole(tx, (request.params as { role: string }).role)
  if (role.built_in)
    throw new Problem('role_built_in', `The role '${role.name}' is built in. Create your own role instead.`)
  demandCovers(caller, toGrant(role), `The role '${role.name}'`)
  demandMatch(request, role.revision)
  return { role, caller }
}

async function demandGrantable(tx: Db, caller: Grant, name: string, grant: RoleGrant): Promise<void> {
  demandCovers(caller, toGrant(grant), `The role '${name}'`)
  const missing = grant.clusters === null ? [] : await listMissingClusters(tx, grant.clusters)
  if (missing.length === 0) return
  const detail = `/clusters: there is no cluster ${missing.slice(0, 5).join(', ')}.`
  throw new Problem('invalid_body', detail, { errors: unknownClusters(missing) })
}

/** For a body with other invalid fields. */
async function wrongClusters(db: Db, clusters: unknown): Promise<FieldError[]> {
  const isList = Array.isArray(clusters) && clusters.length > 0
  return isList ? unknownClusters(await listMissingClusters(db, clusters as string[])) : []
}

const unknownClusters = (missing: readonly string[]): FieldError[] =>
  missing.slice(0, 20).map((id) => ({ pointer: '/clusters', code: 'unknown_cluster', detail: `${id} does not exist` }))

async function demandRole(db: Db, name: string): Promise<RoleRow> {
  const role = await findRole(db, name)
  if (!role) throw new Problem('role_not_found', `There is no role ${quoted(name)}.`)
  return role
}

function inUse(name: string, holders: { id: string; email: string }[]): Problem {
  const users = holders.slice(0, holdersNamedMax)
  const more = holders.length > holdersNamedMax ? ' and others' : ''
  const detail = `The role '${name}' is assigned to ${users.map(({ email }) => email).join(', ')}${more}. Assign another role to these users first.`
  return new Problem('role_in_use', detail, { members: { users } })
}

/** Users of the group would lose their access. */
async function demandNoSignInRule(tx: Db, name: string): Promise<void> {
  const { roles } = await loadSignInRules(tx)
  const groups = roles.filter(({ role }) => role === name).map(({ group }) => group)
  if (groups.length === 0) return
  const named = groups.slice(0, holdersNamedMax).join(', ')
  throw new Problem('role_in_use', `Sign-in rules give the role '${name}' to: ${named}. Change these rules first.`)
}

const nameTaken = (name: string) =>
  new Problem('role_name_taken', `The role ${quoted(name)} already exists.`, {
    errors: [{ pointer: '/name', code: 'taken', detail: 'is taken' }],
  })

const grantOf = ({ permissions, clusters, namespaces, teams }: RoleRow): RoleGrant => ({
  permissions,
  clusters,
  namespaces,
  teams,
})

const shown = (row: RoleRow) => ({ body: presentRole(row), revision: row.revision })

export function presentRole(row: RoleRow): Role {
  return {
    name: row.name,
    built_in: row.built_in,
    permissions: [...row.permissions].sort(),
    clusters: row.clusters,
    namespaces: row.namespaces,
    teams: row.teams,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}
