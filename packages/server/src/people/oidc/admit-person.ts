import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import {
  findLogin,
  findUser,
  hasOtherAdmin,
  insertUser,
  lockPeople,
  updateUser,
} from '../../platform/auth/queries/users.ts'
import { findRole } from '../../platform/auth/queries/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { findUserOfIdentity, linkIdentity } from '../queries/sso-identities.ts'
import { loadSignInRules } from '../queries/sign-in-rules.ts'
import type { SignedIn } from '../sign-in.ts'
import { accessOfGroups, type GroupAccess } from './access-of-groups.ts'
import { OidcError } from './oidc-error.ts'
import type { OidcPerson } from './provider.ts'

/**
 * The user of a person of the identity provider, with the role and teams of their groups. The first sign-in creates the
 * user, or connects an existing one by a verified e-mail address.
 */
export async function admitPerson(deps: Deps, tx: Db, request: FastifyRequest, person: OidcPerson): Promise<SignedIn> {
  await lockPeople(tx)
  const access = accessOfGroups(person.groups, await loadSignInRules(tx))
  // A role that was deleted since the rules were written gives no access.
  if (!access || !(await findRole(tx, access.role))) throw new OidcError('no_access')
  const userId =
    (await findUserOfIdentity(tx, person)) ??
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

type Applied = { userId: string; access: GroupAccess }

/** The last admin who can sign in with a password stays admin. */
async function applyAccess(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  { userId, access }: Applied,
): Promise<SignedIn> {
  const user = await findUser(tx, userId)
  if (!user || user.disabled) throw new OidcError('disabled')
  const mustStay = user.role === 'admin' && access.role !== 'admin' && !(await hasOtherAdmin(tx, userId))
  const after = mustStay ? { role: 'admin', teams: null } : access
  const before = { role: user.role, teams: user.teams }
  if (!isDeepStrictEqual(before, after)) {
    await updateUser(tx, userId, after, deps.now())
    await recordChange(deps, tx, request, {
      action: 'user.update',
      target: { type: 'user', id: userId },
      detail: { email: user.email, from: 'identity provider', before, after },
    })
  }
  return { userId, email: user.email, role: after.role }
}
