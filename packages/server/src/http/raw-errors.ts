import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { rateLimitWindowSeconds } from '@plimsoll/contract'
import { countHit } from '../db/rate-limits.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { Problem, problemBody } from '../problem.ts'
import { addressBlock } from './address.ts'
import { securityHeaders } from './headers.ts'
import { problemType } from './problem-reply.ts'
import { exhaustedRate, rateHeaders, rateState, tooManyRequests, type RateState } from './rate-limit.ts'

/**
 * Node answers some requests before any hook of ours runs: those it cannot parse, and those with an unknown Expect.
 * They get the same headers and the same kind of body as everything else, and count against their address.
 */
export function answerRawErrors(app: FastifyInstance, deps: Deps): void {
  app.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    void answerExpectation(deps, request, response)
  })
}

export function handleClientError(deps: Deps, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  void rawAnswer(deps, rawProblem(error.code), socket.remoteAddress, '').then(({ head, body, status }) => {
    const lines = Object.entries({ ...head, connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
  })
}

function rawProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large', 'The headers are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout', 'The request did not arrive in time.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('body_too_large', 'The chunk extensions are too large.')
  return new Problem('malformed_request', 'The request cannot be parsed as HTTP/1.1.')
}

async function answerExpectation(deps: Deps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const problem = new Problem('expectation_failed', 'The only expectation that can be met is 100-continue.')
  const path = request.url?.split('?')[0] ?? ''
  const { head, body, status } = await rawAnswer(deps, problem, request.socket.remoteAddress, path)
  response.writeHead(status, head).end(body)
}

async function rawAnswer(deps: Deps, problem: Problem, address: string | undefined, instance: string) {
  const rate = await countedRate(deps, address ?? 'unknown')
  const answer = rate.over ? tooManyRequests(rate.state, deps.now()) : problem
  const requestId = newId('req', deps.now())
  const body = JSON.stringify(problemBody(answer, { instance, requestId }))
  const head: Record<string, string> = {
    ...securityHeaders(deps.settings),
    ...rateHeaders(rate.state),
    ...answer.extras.headers,
    'x-request-id': requestId,
    'content-type': problemType,
    'content-length': String(Buffer.byteLength(body)),
  }
  return { head, body, status: answer.statusCode }
}

async function countedRate(deps: Deps, address: string): Promise<{ state: RateState; over: boolean }> {
  try {
    const hits = await countHit(deps.db, `address:${addressBlock(address)}`, rateLimitWindowSeconds)
    return { state: rateState(deps.limits.address, hits), over: hits.hits > deps.limits.address }
  } catch {
    return { state: exhaustedRate(deps.limits.address, deps.now()), over: false }
  }
}
