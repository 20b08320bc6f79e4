import type { FastifyRequest } from 'fastify'
import { seesWholeClusters, type Grant } from './caller.ts'
import { requestCaller } from '../http/request-caller.ts'
import { Problem } from '../http/problem.ts'

export const seesWholeFleet = (caller: Grant) => caller.clusters === null && seesWholeClusters(caller)

/**
 * A hook for resources without a cluster: new clusters, users, roles, signing keys, the audit. A role restricted to a
 * part of the fleet would reach the rest through them. It runs before any look-up or read.
 */
export async function demandWholeFleet(request: FastifyRequest): Promise<void> {
  if (seesWholeFleet(requestCaller(request))) return
  throw new Problem(
    'role_narrowed',
    'Your role is limited to some clusters, namespaces or teams. This operation needs a role for all clusters.',
  )
}
