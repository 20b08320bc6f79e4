import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { countHit } from './queries/request-counts.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { Problem, problemBody } from './problem.ts'
import { addressBlock } from './address.ts'
import { securityHeaders } from './headers.ts'
import { problemType } from './problem-reply.ts'
import { exhaustedRate, rateHeaders, rateState, tooManyRequests, type RateState } from './enforce-rate-limit.ts'

/**
 * No hook runs for a request that Node cannot parse. It gets the same headers and body format as other errors, a log
 * line, and counts against its address.
 */
export function handleClientError(deps: Deps, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  void rawAnswer(deps, rawProblem(error.code), socket.remoteAddress).then((answer) => socket.end(answer))
}

/** How long a CONNECT may take to be answered and closed. */
const connectMsMax = 2_000

/**
 * Node passes CONNECT as a bare socket, and closes it without a response if there is no listener. An Upgrade needs no
 * handling: Node ignores the header.
 */
export function answerConnect(deps: Deps, { server }: FastifyInstance): void {
  server.on('connect', (_request, socket) => {
    // The HTTP server has released this socket, and an error without a listener would end the process.
    socket.on('error', () => socket.destroy())
    const address =
      'remoteAddress' in socket && typeof socket.remoteAddress === 'string' ? socket.remoteAddress : undefined
    // The timeouts of the HTTP server no longer apply to this socket, and a client may never close its half.
    setTimeout(() => socket.destroy(), connectMsMax).unref()
    void rawAnswer(deps, noTunnel(), address).then((answer) => socket.end(answer))
  })
}

const noTunnel = () =>
  new Problem('method_not_allowed', 'This service is not a proxy and does not support CONNECT.', {
    headers: { allow: 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT' },
  })

function rawProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large', 'The headers are larger than 16 KiB.')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout', 'The request did not arrive in time.')
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new Problem('body_too_large', 'The chunk extensions are too large.')
  return new Problem('malformed_request', 'The request cannot be parsed as HTTP/1.1.')
}

async function rawAnswer(deps: Deps, problem: Problem, address = 'unknown'): Promise<string> {
  const { state, over } = await countedRate(deps, address)
  const answer = over ?? problem
  const status = answer.statusCode
  const requestId = newId('req', deps.now())
  const body = JSON.stringify(problemBody(answer, { instance: '', requestId }))
  deps.log.info({ request_id: requestId, status, code: answer.code, address }, 'request rejected')
  const head = {
    ...securityHeaders(deps.settings),
    ...rateHeaders(state),
    ...answer.extras.headers,
    'x-request-id': requestId,
    'content-type': problemType,
    'content-length': String(Buffer.byteLength(body)),
    date: deps.now().toUTCString(),
    connection: 'close',
  }
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

async function countedRate(deps: Deps, address: string): Promise<{ state: RateState; over?: Problem }> {
  const limit = deps.limits.address
  try {
    const hits = await countHit(deps.db, `address:${addressBlock(address)}`)
    const state = rateState(limit, hits)
    return hits.hits > limit ? { state, over: tooManyRequests(limit, hits) } : { state }
  } catch {
    return { state: exhaustedRate(limit, deps.now()) }
  }
}
