import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { Problem, problemBody } from './problem.ts'
import { securityHeaders } from './headers.ts'
import { problemType } from './problem-reply.ts'
import { rateHeaders, untouchedRate } from './enforce-rate-limit.ts'

/** Serves only `/metrics`, so that a firewall can admit Prometheus alone. */
export function makeMetricsServer(deps: Deps): Server {
  return createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, (request, response) => {
    answer(deps, request, response).catch((error: unknown) => {
      deps.log.error({ err: error }, 'cannot answer a metrics request')
      response.destroy()
    })
  })
}

async function answer(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { registry } = deps.metrics
  const requestId = newId('req', deps.now())
  for (const [name, value] of Object.entries({
    ...securityHeaders(deps.settings),
    ...rateHeaders(untouchedRate(deps.limits.address, deps.now())),
    'x-request-id': requestId,
  })) {
    response.setHeader(name, value)
  }
  const refusal = refusalOf(request)
  if (refusal) {
    const body = JSON.stringify(problemBody(refusal, { instance: pathOf(request), requestId }))
    return write(response, refusal.statusCode, { 'content-type': problemType, ...refusal.extras.headers }, body)
  }
  write(response, 200, { 'content-type': registry.contentType }, await registry.metrics())
}

function write(response: ServerResponse, status: number, headers: Record<string, string>, body: string): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body)
}

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?')[0] ?? ''

function refusalOf(request: IncomingMessage): Problem | undefined {
  if (pathOf(request) !== '/metrics') return new Problem('not_found', 'This listener serves only /metrics.')
  if (request.method === 'GET' || request.method === 'HEAD') return undefined
  return new Problem('method_not_allowed', '/metrics supports GET and HEAD.', { headers: { allow: 'GET, HEAD' } })
}
