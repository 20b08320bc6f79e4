import type { LoginResult } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordChange } from '../audit/index.ts'
import type { Db } from '../platform/db/database.ts'
import { insertSession, recordLogin } from '../platform/auth/queries/sessions.ts'
import type { Deps } from '../platform/deps.ts'
import { newId, newOpaqueId } from '../platform/ids.ts'
import { sessionCookie } from '../platform/auth/authenticate.ts'
import { deviceCookie, newDeviceCookie } from './login-throttle.ts'

export type SignedIn = { userId: string; email: string; role: string }

/** Opens a session and issues its first token. */
export async function signIn(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  user: SignedIn & { isSso?: boolean },
): Promise<LoginResult> {
  const now = deps.now()
  const sessionId = newId('ses', now)
  const result = await issueToken(deps, tx, { sessionId, signedIn: user })
  await insertSession(tx, {
    sessionId,
    userId: user.userId,
    expiresAt: new Date(result.expires_at),
    address: request.ip,
    userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
    isSso: user.isSso ?? false,
    now,
  })
  await recordLogin(tx, user.userId, now)
  request.caller = {
    kind: 'person',
    userId: user.userId,
    email: user.email,
    role: user.role,
    permissions: new Set(),
    clusters: null,
    namespaces: null,
    teams: null,
    credentialId: sessionId,
    credentialExpiresAt: new Date(result.expires_at),
  }
  await recordChange(deps, tx, request, { action: 'session.create', target: { type: 'session', id: sessionId } })
  return result
}

/** For 24 hours, or less when the session ends before. */
export async function issueToken(
  deps: Deps,
  tx: Db,
  { sessionId, signedIn: { userId, email, role }, endsAt }: { sessionId: string; signedIn: SignedIn; endsAt?: Date },
): Promise<LoginResult> {
  const { token, expiresAt } = await deps.tokens.issue({ sessionId, userId, endsAt }, tx)
  return { token, expires_at: expiresAt.toISOString(), user: { id: userId, email, role } }
}

/** For the dashboard: not readable by scripts, and sent by its own pages only. They end with the token. */
export function setSessionCookies(deps: Deps, reply: FastifyReply, { token, user, expires_at }: LoginResult): void {
  const maxAge = Math.max(0, Math.floor((Date.parse(expires_at) - deps.now().getTime()) / 1000))
  reply.setCookie(sessionCookie, token, { ...sessionCookieOptions(deps), maxAge })
  const device = newDeviceCookie(deps, user.email, newOpaqueId(deps.now()))
  reply.setCookie(deviceCookie, device, { ...sessionCookieOptions(deps), path: '/auth', maxAge: 365 * 86_400 })
  reply.setCookie(markerCookie, 'signed-in', { ...markerCookieOptions(deps), maxAge })
}

export function clearSessionCookies(deps: Deps, reply: FastifyReply): FastifyReply {
  return reply
    .clearCookie(sessionCookie, sessionCookieOptions(deps))
    .clearCookie(markerCookie, markerCookieOptions(deps))
}

/** Contains no secret and grants nothing: it shows pages whether a call for the current user is worthwhile. */
const markerCookie = 'plimsoll_signed_in'

const markerCookieOptions = (deps: Deps) => ({ ...sessionCookieOptions(deps), httpOnly: false })

/** A browser clears a cookie only if the attributes equal those that set it. */
const sessionCookieOptions = ({ settings }: Deps) =>
  ({ httpOnly: true, sameSite: 'strict', secure: settings.publicUrl.startsWith('https:'), path: '/' }) as const
