import type { FastifyRequest } from 'fastify'
import type { UserCaller } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { lockPeople } from '../db/users.ts'
import type { Deps } from '../deps.ts'
import { passGateAgain } from '../http/gate.ts'
import { requestUser } from '../http/request-caller.ts'

/** The caller as they are while nobody else changes people and roles: what they grant is judged by what they hold then. */
export async function lockPeopleFor(deps: Deps, tx: Db, request: FastifyRequest): Promise<UserCaller> {
  await lockPeople(tx)
  await passGateAgain(deps, tx, request)
  return requestUser(request)
}
