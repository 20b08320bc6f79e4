import { isDeepStrictEqual } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { deleteLinksOf } from '../../platform/auth/queries/one-time-links.ts'
import { deleteSessionsOf } from '../../platform/auth/queries/sessions.ts'
import { findUser, hasPasswordAdmin, updateUser, type UserRow } from '../../platform/auth/queries/users.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { deleteApiKeysOf } from '../queries/api-keys.ts'
import type { SignedIn } from '../sign-in.ts'
import type { GroupAccess } from './access-of-groups.ts'
import { OidcError } from './oidc-error.ts'

/** Gives a user the role and teams of their groups. */
export async function applyAccess(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  { user, access }: { user: UserRow; access: GroupAccess },
): Promise<SignedIn> {
  if (user.disabled) throw new OidcError('disabled')
  const after = (await isLastAdmin(deps, tx, user)) ? { role: 'admin', teams: null } : access
  await setAccess(deps, tx, request, { user, after })
  return { userId: user.user_id, email: user.email, role: after.role }
}

/** Ends the sessions, and limits API keys to no team, until a sign-in gives access again. */
export async function endAccess(deps: Deps, tx: Db, request: FastifyRequest, userId: string): Promise<void> {
  const user = await findUser(tx, userId)
  if (!user || (await isLastAdmin(deps, tx, user))) return
  await deleteSessionsOf(tx, userId)
  await setAccess(deps, tx, request, { user, after: { role: user.role, teams: [] } })
}

/**
 * Another person may have chosen the password of the connected user, or may hold their API keys. The groups must not give
 * these a higher role. The last admin with a password keeps all of them.
 */
export async function endCredentials(deps: Deps, tx: Db, user: Admin): Promise<void> {
  if (await isLastAdmin(deps, tx, user)) return
  await updateUser(tx, user.user_id, { password_hash: null }, deps.now())
  await deleteSessionsOf(tx, user.user_id)
  await deleteLinksOf(tx, user.user_id)
  await deleteApiKeysOf(tx, user.user_id)
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
