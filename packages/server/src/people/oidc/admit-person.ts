import { randomUUID } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { findRole } from '../../platform/auth/queries/roles.ts'
import { findLogin, findUser, insertUser, lockPeople, type UserRow } from '../../platform/auth/queries/users.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { findUserOfIdentity, linkIdentity, noteVerification } from '../queries/sso-identities.ts'
import { loadSignInRules } from '../queries/sign-in-rules.ts'
import type { SignedIn } from '../sign-in.ts'
import { accessOfGroups } from './access-of-groups.ts'
import { OidcError } from './oidc-error.ts'
import type { OidcPerson } from './provider.ts'
import { applyAccess, endAccess, endCredentials } from './user-access.ts'

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
  const user = await findUser(tx, userId)
  if (!user) throw new OidcError('disabled')
  await noteVerification(tx, person, isVerified(user, person))
  return applyAccess(deps, tx, request, { user, access })
}

/** The address of the user, not another one that the person has at the provider. */
const isVerified = (user: UserRow, person: OidcPerson) => person.isEmailVerified && person.email === user.email

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
  // A user whose address was never verified may be another person.
  const owner = await findUser(tx, found.user_id)
  if (owner?.is_email_verified === false) throw new OidcError('email_taken')
  const isLinked = await linkIdentity(tx, { ...person, userId: found.user_id, now: deps.now() })
  if (!isLinked) throw new OidcError('email_taken')
  await endCredentials(deps, tx, found)
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
