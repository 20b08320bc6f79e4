import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import {
  findLogin,
  findUser,
  hasPasswordAdmin,
  insertUser,
  lockPeople,
  updateUser,
  type UserRow,
} from '../../platform/auth/queries/users.ts'
import { deleteLinksOf } from '../../platform/auth/queries/one-time-links.ts'
import { deleteSessionsOf } from '../../platform/auth/queries/sessions.ts'
import { findRole } from '../../platform/auth/queries/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { deleteApiKeysOf } from '../queries/api-keys.ts'
import { findUserOfIdentity, linkIdentity } from '../queries/sso-identities.ts'
import { loadSignInRules } from '../queries/sign-in-rules.ts'
import type { SignedIn } from '../sign-in.ts'
import { accessOfGroups, type GroupAccess } from './access-of-groups.ts'
import { OidcError } from './oidc-error.ts'
import type { OidcPerson } from './provider.ts'

/**
 * The user of a person of the identity provider, with the role and teams of their groups. The first sign-in creates the
 * user, or connects an existing one by a verified e-mail address. Undefined: the groups give no access; a known user has
 * lost it then.
 */
export async function admitPerson(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  person: OidcPerson,
): Promise<SignedIn | undefined> {
  await lockPeople(tx)
  const known = await findUserOfIdentity(tx, person)
  const access = accessOfGroups(person.groups, await loadSignInRules(tx))
  // A role that was deleted since the rules were written gives no access.
  if (!access || !(await findRole(tx, access.role))) {
    if (known !== undefined) await endAccess(deps, tx, request, known)
    return undefined
  }
  const userId =
    known ??
    (await linkByEmail(deps, tx, request, person)) ??
    (await createUser(deps, tx, request, { person, role: access.role }))
  return applyAccess(deps, tx, request, { userId, access })
}

/** Undefined: no user has the address. Once only: a user keeps one account of the provider. */
async function linkByEmail(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  person: OidcPerson,
): Promise<string | undefined> {
  const found = person.email === undefined ? undefined : await findLogin(tx, person.email)
  if (!found) return undefined
  if (!person.isEmailVerified) throw new OidcError('email_taken')
  const isLinked = await linkIdentity(tx, { ...person, userId: found.user_id, now: deps.now() })
  if (!isLinked) throw new OidcError('email_taken')
  if (!(await isLastAdmin(deps, tx, found))) await endCredentials(deps, tx, found.user_id)
  await recordChange(deps, tx, request, {
    action: 'user.link_identity',
    target: { type: 'user', id: found.user_id },
    detail: { issuer: person.issuer },
  })
  return found.user_id
}

type NewPerson = { person: OidcPerson; role: string }

async function createUser(deps: Deps, tx: Db, request: FastifyRequest, { person, role }: NewPerson): Promise<string> {
  const { email } = person
  if (email === undefined) throw new OidcError('no_email')
  const userId = randomUUID()
  await insertUser(tx, { userId, email, role, passwordHash: null, now: deps.now() })
  await linkIdentity(tx, { ...person, userId, now: deps.now() })
  await recordChange(deps, tx, request, {
    action: 'user.create',
    target: { type: 'user', id: userId },
    detail: { email, role, from: 'identity provider' },
  })
  return userId
}

/**
 * Somebody else may have chosen the password of the connected user, or may hold their API keys. The groups must not give
 * these a higher role.
 */
async function endCredentials(deps: Deps, tx: Db, userId: string): Promise<void> {
  await updateUser(tx, userId, { password_hash: null }, deps.now())
  await deleteSessionsOf(tx, userId)
  await deleteLinksOf(tx, userId)
  await deleteApiKeysOf(tx, userId)
}

/** Ends the sessions, and limits API keys to no team, until a sign-in gives access again. */
async function endAccess(deps: Deps, tx: Db, request: FastifyRequest, userId: string): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user || (await isLastAdmin(deps, tx, user))) return
  await deleteSessionsOf(tx, userId)
  await setAccess(deps, tx, request, { user, after: { role: user.role, teams: [] } })
}

type Applied = { userId: string; access: GroupAccess }

async function applyAccess(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  { userId, access }: Applied,
): Promise<SignedIn> {
  const user = await findUser(tx, userId)
  if (!user || user.disabled) throw new OidcError('disabled')
  const after = (await isLastAdmin(deps, tx, user)) ? { role: 'admin', teams: null } : access
  await setAccess(deps, tx, request, { user, after })
  return { userId, email: user.email, role: after.role }
}

type NewAccess = { user: UserRow; after: GroupAccess }

async function setAccess(deps: Deps, tx: Db, request: FastifyRequest, { user, after }: NewAccess): Promise<void> {
  const before = { role: user.role, teams: user.teams }
  if (isDeepStrictEqual(before, after)) return
  await updateUser(tx, user.user_id, after, deps.now())
  await recordChange(deps, tx, request, {
    action: 'user.update',
    target: { type: 'user', id: user.user_id },
    detail: { email: user.email, from: 'identity provider', before, after },
  })
}

type Admin = { user_id: string; role: string; disabled: boolean }

/** The last admin who can sign in with a password keeps all permissions, whatever the groups say. */
async function isLastAdmin({ settings }: Deps, tx: Db, user: Admin): Promise<boolean> {
  if (user.role !== 'admin' || user.disabled) return false
  return !(await hasPasswordAdmin(tx, { besides: user.user_id, passwordOnlyFor: settings.passwordOnlyFor }))
}
