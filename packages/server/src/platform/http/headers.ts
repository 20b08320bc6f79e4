import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../deps.ts'
import { newId } from '../ids.ts'

const requestIdPattern = /^[A-Za-z0-9._-]{1,128}$/

/** The id of the caller if valid, so that one id appears in both logs. */
export function requestId(sent: string | string[] | undefined, now: Date): string {
  return typeof sent === 'string' && requestIdPattern.test(sent) ? sent : newId('req', now)
}

/** Our pages use only our own scripts and styles and connect to no other host. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** For every response of the framework; raw-errors.ts handles the others. */
export function putFixedHeaders(settings: Settings, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders(settings)).header('x-request-id', request.id)
  allowConfiguredOrigins(settings, request, reply)
}

export const securityHeaders = ({ publicUrl }: Settings) => (publicUrl.startsWith('https:') ? overTls : plain)

const plain: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

const overTls = { ...plain, 'strict-transport-security': 'max-age=31536000' }

const exposed = 'ETag, Location, Retry-After, X-Request-Id, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset'

/** Off unless origins are configured; never with cookies, so a foreign page needs its own token. */
function allowConfiguredOrigins({ corsOrigins }: Settings, request: FastifyRequest, reply: FastifyReply): void {
  if (corsOrigins.length === 0) return
  reply.header('vary', 'Origin')
  const { origin } = request.headers
  if (origin === undefined || !corsOrigins.includes(origin)) return
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposed,
    'cross-origin-resource-policy': 'cross-origin',
  })
  if (request.method !== 'OPTIONS') return
  reply.headers({
    'access-control-allow-methods': 'GET, HEAD, POST, PATCH, PUT, DELETE',
    'access-control-allow-headers':
      'Authorization, Content-Type, X-API-Key, X-Request-Id, Idempotency-Key, If-Match, If-None-Match',
    'access-control-max-age': '600',
  })
}
