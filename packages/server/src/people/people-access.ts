import type { FastifyRequest } from 'fastify'
import type { UserCaller } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/database.ts'
import { lockPeople } from '../platform/auth/queries/users.ts'
import type { Deps } from '../platform/deps.ts'
import { passGateAgain } from '../platform/http/gate.ts'
import { requestUser } from '../platform/http/request-caller.ts'

/** The caller under the lock on users and roles: grants are checked against the permissions at that time. */
export async function lockPeopleFor(deps: Deps, tx: Db, request: FastifyRequest): Promise<UserCaller> {
  await lockPeople(tx)
  await passGateAgain(deps, tx, request)
  return requestUser(request)
}
