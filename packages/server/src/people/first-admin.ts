import { randomUUID } from 'node:crypto'
import { recordChange } from '../audit/index.ts'
import { makeOneTimeLink } from '../platform/auth/one-time-code.ts'
import type { Config } from '../platform/config.ts'
import { deletePasswordSessions } from '../platform/auth/queries/sessions.ts'
import { hasPasswordAdmin, hasUsers, insertUser, lockPeople } from '../platform/auth/queries/users.ts'
import type { Deps } from '../platform/deps.ts'
import { StartupError } from '../platform/startup-error.ts'

export type FirstAdmin = { kind: 'exists' } | { kind: 'created'; email: string } | { kind: 'link'; link: string }

/** On an empty database: creates the admin from the settings, else a one-time link. There is no default password. */
export async function provideFirstAdmin(deps: Deps, admin: Config['admin']): Promise<FirstAdmin> {
  const passwordHash = admin && !(await hasUsers(deps.db)) ? await deps.passwords.hash(admin.password) : undefined
  return deps.db.transaction().execute(async (tx) => {
    await lockPeople(tx)
    if (await hasUsers(tx)) return { kind: 'exists' }
    if (!admin || passwordHash === undefined)
      return { kind: 'link', link: (await makeOneTimeLink(deps, tx, null)).link }
    const userId = randomUUID()
    await insertUser(tx, { userId, email: admin.email, role: 'admin', passwordHash, now: deps.now() })
    await recordChange(deps, tx, 'system', {
      action: 'user.create',
      target: { type: 'user', id: userId },
      detail: { email: admin.email, role: 'admin', from: 'settings' },
    })
    return { kind: 'created', email: admin.email }
  })
}

/** Otherwise no user could sign in if the identity provider fails. */
export async function demandPasswordAdmin({ db, settings: { passwordOnlyFor } }: Deps): Promise<void> {
  if (passwordOnlyFor === null || (await hasPasswordAdmin(db, { besides: null, passwordOnlyFor }))) return
  throw new StartupError(
    `With PLIMSOLL_SSO_ONLY, ${passwordOnlyFor} (PLIMSOLL_ADMIN_EMAIL) must be an enabled admin with a password. Start without PLIMSOLL_SSO_ONLY and create this user.`,
  )
}

/** Passwords may have been allowed before: the sessions of other users then end at the start. */
export async function endPasswordSessions({ db, settings: { passwordOnlyFor } }: Deps): Promise<void> {
  if (passwordOnlyFor !== null) await deletePasswordSessions(db, passwordOnlyFor)
}
