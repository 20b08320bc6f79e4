import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './problem-reply.ts'

const quiet = new Set(['/healthz', '/readyz', '/metrics'])

/** One line per response, with the request id that the caller has too. Headers, queries and bodies are not logged. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', async (request, reply) => logAnswer(request, reply))
}

export function logAnswer(request: FastifyRequest, reply: FastifyReply): void {
  const path = pathOf(request)
  if (quiet.has(path) && reply.statusCode < 400) return
  const { caller } = request
  request.log.info(
    {
      method: request.method,
      path,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(caller ? { caller: caller.kind, credentialId: caller.credentialId } : {}),
      address: request.ip,
    },
    'request completed',
  )
}
