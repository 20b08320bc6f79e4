import type { FastifyRequest } from 'fastify'
import { requestCaller } from '../http/request-caller.ts'
import { Problem } from '../http/problem.ts'

/**
 * A hook for what belongs to no cluster: new clusters, people, roles, signing keys, the audit. A role narrowed to a part
 * of the fleet would reach the rest of it through them. It runs before anything is looked up or read.
 */
export async function demandWholeFleet(request: FastifyRequest): Promise<void> {
  const { clusters, namespaces } = requestCaller(request)
  if (clusters === null && namespaces === null) return
  throw new Problem(
    'role_narrowed',
    'Your role is limited to some clusters or namespaces. This operation needs a role for the whole fleet.',
  )
}
