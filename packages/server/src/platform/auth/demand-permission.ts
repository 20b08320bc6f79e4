import type { Permission } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../http/problem.ts'
import { requestUser } from '../http/request-caller.ts'

/** For a permission that depends on the body of the request. */
export function demandPermission(request: FastifyRequest, needed: Permission): void {
  if (requestUser(request).permissions.has(needed)) return
  throw new Problem('forbidden', `This action requires the permission ${needed}.`, {
    members: { required_permission: needed },
  })
}
