import { randomUUID } from 'node:crypto'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { rolePageSize, type Role, type User, userIncludes, operations } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import { demandGovernable, demandGrantableRole, wrongRole } from '../../platform/auth/grants.ts'
import { makeOneTimeLink } from '../../platform/auth/one-time-code.ts'
import type { Db } from '../../platform/db/database.ts'
import { listRoles } from '../../platform/auth/queries/roles.ts'
import { deleteSessionsOf } from '../../platform/auth/queries/sessions.ts'
import {
  deleteUser,
  findUser,
  hasPasswordAdmin,
  insertUser,
  listUsers,
  updateUser,
  type UserRow,
} from '../../platform/auth/queries/users.ts'
import type { Deps } from '../../platform/deps.ts'
import { allWrongFields } from '../../platform/http/all-wrong-fields.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { notAllowed } from '../../platform/http/gate.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { isUuid } from '../../platform/ids.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { lockPeopleFor } from '../people-access.ts'
import { presentRole } from './roles.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

export const userRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)
  const preParsing = async (request: FastifyRequest) => {
    await demandUser(deps.db, (request.params as { user_id: string }).user_id)
  }

  handle(app, operations.listUsers, {
    handler: async (request) => {
      const { limit, cursor, include } = request.query
      const parts = severalOf('include', include, userIncludes) ?? []
      const scope = { list: 'users', selection: {} }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listUsers(deps.db, { after, limit: limit + 1 })
      const { shown: users, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.email], deps.now()),
      )
      return {
        users: users.map(presentUser),
        ...(parts.includes('roles') ? { roles: await rolesFor(deps, request) } : {}),
        ...rest,
      }
    },
  })

  handle(app, operations.createUser, {
    ...allWrongFields(({ role }) => wrongRole(deps.db, role)),
    handler: async (request, reply) => {
      const { role, password } = request.body
      const isPerson = requestUser(request).kind === 'person'
      if (password !== undefined && !isPerson) throw passwordByKey()
      const email = request.body.email.toLowerCase()
      const passwordHash = password === undefined ? null : await deps.passwords.hash(password)
      return change(deps, request, reply, async (tx) => {
        await demandGrantableRole(tx, await lockPeopleFor(deps, tx, request), role)
        const userId = randomUUID()
        if (!(await insertUser(tx, { userId, email, role, passwordHash, now: deps.now() }))) throw emailTaken(email)
        const invitation = passwordHash === null && isPerson ? await invite(deps, tx, userId) : undefined
        await recordChange(deps, tx, request, {
          action: 'user.create',
          target: { type: 'user', id: userId },
          detail: { email, role },
        })
        return {
          status: 201,
          headers: { location: pathOf(routes.getUser, { user_id: userId }) },
          ...shown(await demandUser(tx, userId)),
          shownOnce: invitation ? { invitation } : {},
          resourceId: userId,
        }
      })
    },
  })

  handle(app, operations.getUser, {
    handler: async (request, reply) => {
      const row = await demandUser(deps.db, request.params.user_id)
      return sendWithEtag(request, reply, row.revision, presentUser(row))
    },
  })

  handle(app, operations.updateUser, {
    preParsing,
    ...allWrongFields(({ role }) => wrongRole(deps.db, role)),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { user, caller } = await lockedUser(deps, tx, request)
        const { role, disabled } = request.body
        if (role !== undefined) await demandGrantableRole(tx, caller, role)
        if ((role ?? 'admin') !== 'admin' || disabled) await demandOtherAdmin(deps, tx, user)
        // The teams of the groups belong to the role that the groups gave.
        const teams = role === undefined || role === user.role ? {} : { teams: null }
        await updateUser(tx, user.user_id, { ...request.body, ...teams }, deps.now())
        if (disabled) await deleteSessionsOf(tx, user.user_id)
        const target = { type: 'user' as const, id: user.user_id }
        const after = await demandUser(tx, user.user_id)
        const detail = { email: user.email, ...changedFields(standingOf(user), standingOf(after)) }
        await recordChange(deps, tx, request, { action: 'user.update', target, detail })
        return { status: 200, ...shown(after) }
      }),
  })

  handle(app, operations.deleteUser, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { user } = await lockedUser(deps, tx, request)
        await demandOtherAdmin(deps, tx, user)
        await deleteUser(tx, user.user_id)
        const target = { type: 'user' as const, id: user.user_id }
        await recordChange(deps, tx, request, {
          action: 'user.delete',
          target,
          detail: { email: user.email, role: user.role, disabled: user.disabled },
        })
        return { status: 204, body: null }
      }),
  })

  handle(app, operations.createUserLink, {
    preParsing: [async (request) => demandPersonForLink(request), preParsing],
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { user } = await lockedUser(deps, tx, request)
        const { link, expires_at } = await invite(deps, tx, user.user_id)
        const target = { type: 'user' as const, id: user.user_id }
        await recordChange(deps, tx, request, { action: 'user.make_link', target, detail: { email: user.email } })
        return { status: 201, body: { expires_at }, shownOnce: { link }, resourceId: user.user_id }
      }),
  })
}

/** Null for a caller who may not call GET /roles. */
async function rolesFor(deps: Deps, request: FastifyRequest): Promise<Role[] | null> {
  if (!requestUser(request).permissions.has('roles:read')) return null
  return (await listRoles(deps.db, { after: undefined, limit: rolePageSize.default })).map(presentRole)
}

/**
 * A link leads to a password and so to a session. A key must not become its user, and an open session must not become
 * the account: that requires the current password.
 */
function demandPersonForLink(request: FastifyRequest): void {
  const caller = requestUser(request)
  if (caller.kind !== 'person') throw notAllowed(caller)
  if ((request.params as { user_id: string }).user_id.toLowerCase() !== caller.userId) return
  throw new Problem(
    'forbidden',
    'You cannot create a link for yourself. Change your password with POST /auth/password.',
  )
}

async function invite(deps: Deps, tx: Db, userId: string) {
  const { link, expiresAt } = await makeOneTimeLink(deps, tx, userId)
  return { link, expires_at: expiresAt.toISOString() }
}

/** The user under the lock on users, once the caller is known to be allowed to manage them. */
async function lockedUser(deps: Deps, tx: Db, request: FastifyRequest) {
  const caller = await lockPeopleFor(deps, tx, request)
  const user = await demandUser(tx, (request.params as { user_id: string }).user_id)
  await demandGovernable(tx, caller, user)
  demandMatch(request, user.revision)
  return { user, caller }
}

async function demandUser(db: Db, userId: string): Promise<UserRow> {
  const user = isUuid(userId) ? await findUser(db, userId) : undefined
  if (!user) throw new Problem('user_not_found', `There is no user ${quoted(userId)}.`)
  return user
}

async function demandOtherAdmin(
  deps: Deps,
  tx: Db,
  { user_id: userId, email, role, disabled }: UserRow,
): Promise<void> {
  if (role !== 'admin' || disabled) return
  if (await hasPasswordAdmin(tx, { besides: userId, passwordOnlyFor: deps.settings.passwordOnlyFor })) return
  throw new Problem('last_admin', `${email} is the last active admin. Create another admin first.`)
}

const standingOf = ({ role, teams, disabled }: UserRow) => ({ role, teams, disabled })

const shown = (row: UserRow) => ({ body: presentUser(row), revision: row.revision })

function presentUser(row: UserRow): User {
  return {
    id: row.user_id,
    email: row.email,
    role: row.role,
    teams: row.teams,
    disabled: row.disabled,
    invited: row.invited,
    sign_in: row.is_email_verified === null ? (row.invited ? null : 'password') : 'oidc',
    email_verified: row.is_email_verified,
    last_login_at: row.last_login_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }
}

/** A password leads to a session and a session to further keys, which would outlive the revocation of this one. */
const passwordByKey = () =>
  new Problem(
    'credential_not_allowed',
    'An API key cannot set a password. Omit `password` and let a signed-in user create a one-time link.',
    { errors: [{ pointer: '/password', code: 'credential_not_allowed', detail: 'cannot be set with an API key' }] },
  )

const emailTaken = (email: string) =>
  new Problem('email_taken', `The user ${email} already exists.`, {
    errors: [{ pointer: '/email', code: 'taken', detail: 'is taken' }],
  })
