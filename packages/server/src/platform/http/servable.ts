import type { IncomingMessage, ServerResponse } from 'node:http'
import { isStorable } from '@plimsoll/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** Node would answer an unknown Expect before any hook runs; here it is handled like any other request. */
export function takeOverExpectations({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
}

/** Checks of a request before any look-up. */
export function demandServable(request: FastifyRequest): void {
  const { expect } = request.headers
  if (expect !== undefined && !/\b100-continue\b/i.test(expect)) {
    throw new Problem('expectation_failed', 'The only supported value of the Expect header is 100-continue.')
  }
  if (request.is404) return
  for (const parameters of [request.params, request.query]) refuseUnstorable(parameters as Record<string, unknown>)
}

/** A proxy and this service could interpret two Host headers differently, so RFC 9112 requires a 400. */
export function hostProblem({ raw }: FastifyRequest): Problem | undefined {
  // The parsed headers hold the first Host only.
  const hosts = raw.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length
  if (hosts > 1) return new Problem('malformed_request', `The request has ${hosts} Host headers; send one.`)
  if (hosts === 1 || raw.httpVersion !== '1.1') return undefined
  return new Problem('malformed_request', 'An HTTP/1.1 request needs a Host header.')
}

function refuseUnstorable(parameters: Record<string, unknown>): void {
  for (const [parameter, value] of Object.entries(parameters)) {
    if (typeof value !== 'string' || isStorable(value)) continue
    const detail = 'contains a NUL character or an unpaired surrogate'
    throw new Problem('invalid_parameter', `${parameter}: ${detail}.`, {
      errors: [{ parameter, code: 'text', detail }],
    })
  }
}
