import type { Db } from '../db/database.ts'
import { findRole, type RoleGrant } from './queries/roles.ts'
import { Problem, quoted, type FieldError } from '../http/problem.ts'
import { covers, type Grant } from './caller.ts'

export const toGrant = ({ permissions, clusters, namespaces, teams }: RoleGrant): Grant => ({
  permissions: new Set(permissions),
  clusters,
  namespaces,
  teams,
})

/** For everything that grants permissions or changes a user who has them. */
export function demandCovers(caller: Grant, wanted: Grant, what: string): void {
  if (covers(caller, wanted)) return
  const missing = [...wanted.permissions].filter((permission) => !caller.permissions.has(permission))
  const why =
    missing.length > 0
      ? `you do not have ${missing.join(', ')}`
      : 'your role is limited to some clusters, namespaces or teams'
  throw new Problem('grant_exceeds_own', `${what} has more permissions than you: ${why}.`)
}

const unknownRole: FieldError = { pointer: '/role', code: 'unknown_role', detail: 'is not a role' }

/** For a body with other invalid fields. */
export const wrongRole = async (db: Db, name: unknown): Promise<FieldError[]> =>
  typeof name !== 'string' || (await findRole(db, name)) ? [] : [unknownRole]

/** The role to grant: it must exist and not exceed the permissions of the caller. */
export async function demandGrantableRole(tx: Db, caller: Grant, name: string): Promise<void> {
  const role = await findRole(tx, name)
  if (!role) throw new Problem('invalid_body', `/role: there is no role ${quoted(name)}.`, { errors: [unknownRole] })
  demandCovers(caller, toGrant(role), `The role '${name}'`)
}

/** A managed user must not have more permissions than the manager, or managing would allow escalation. */
export async function demandGovernable(tx: Db, caller: Grant, user: { email: string; role: string }): Promise<void> {
  const role = await findRole(tx, user.role)
  if (role) demandCovers(caller, toGrant(role), `The user ${user.email}`)
}
