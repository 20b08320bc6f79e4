import { bodyBytesMax } from '@plimsoll/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway, isStatementTimeout } from '../db/database-away.ts'
import type { Deps } from '../deps.ts'
import { Problem, problemBody } from './problem.ts'
import { exhaustedRate, rateHeaders } from './enforce-rate-limit.ts'

export const problemType = 'application/problem+json; charset=utf-8'

/** Every failure becomes a problem. Internal errors are logged once with their cause and reported without it. */
export async function replyWithProblem(
  deps: Deps,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const problem = await toProblem(deps, error, request)
  if (problem.statusCode >= 500) request.log.error({ err: problem.extras.cause ?? problem }, problem.message)
  if (problem.statusCode === 503 || !reply.hasHeader('x-ratelimit-limit')) {
    const limit = Number(reply.getHeader('x-ratelimit-limit') ?? deps.limits.address)
    reply.headers(rateHeaders(exhaustedRate(limit, deps.now())))
  }
  return reply
    .code(problem.statusCode)
    .headers(problem.extras.headers ?? {})
    .type(problemType)
    .serializer(JSON.stringify)
    .send(problemBody(problem, { instance: pathOf(request), requestId: request.id }))
}

/** Without query string and, in `GET http://name:password@host/`, authority: they may hold what must not be repeated. */
export const pathOf = ({ url }: FastifyRequest) =>
  url
    .replace(/^https?:\/\/[^/?]*/i, '')
    .split('?', 1)
    .join()

async function toProblem({ disk }: Deps, error: unknown, request: FastifyRequest): Promise<Problem> {
  if (error instanceof Problem) return error
  // First, because a caller who disconnects during a body is ECONNRESET as well.
  const known = frameworkProblem(error as FastifyError, request)
  if (known) return known
  if (await disk.isCauseOf(error)) return diskFull(error)
  if (isStatementTimeout(error)) return queryTooLong(error)
  if (isDatabaseAway(error)) {
    return new Problem('service_unavailable', 'The database does not respond. Try again in 5 seconds.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
  return unexpected(error)
}

const queryTooLong = (cause: unknown) =>
  new Problem(
    'service_unavailable',
    'A database query took too long. Narrow the request, for example to a shorter window, longer steps or fewer groups.',
    { headers: { 'retry-after': '30' }, cause },
  )

export const diskFull = (cause: unknown) =>
  new Problem(
    'disk_full',
    'The database disk is full, so the request was not stored. Free disk space, then try again.',
    {
      headers: { 'retry-after': '60' },
      cause,
    },
  )

function frameworkProblem({ code, statusCode, message }: FastifyError, request: FastifyRequest): Problem | undefined {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request.routeOptions.bodyLimit ?? bodyBytesMax)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Problem('unsupported_media_type', 'Send application/json.')
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new Problem('malformed_request', 'The length of the body differs from Content-Length.')
    case 'FST_ERR_BAD_URL':
      return new Problem('malformed_url', 'The URL contains an invalid percent-encoding.')
    default:
      return statusCode === 400 ? new Problem('malformed_request', message) : undefined
  }
}

const bodyTooLarge = (bytesMax: number) =>
  new Problem('body_too_large', `This operation accepts at most ${bytesMax} bytes.`, {
    members: { max_bytes: bytesMax },
  })

function unexpected(error: unknown): Problem {
  return new Problem('internal_error', 'Internal error. Search the service log for the request ID.', {
    cause: error,
  })
}
