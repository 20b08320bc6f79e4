import { pathOf, routes } from '@plimsoll/contract/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import type { OidcFlow } from './provider.ts'

/** A page of another subdomain cannot set a cookie with this prefix. Browsers accept the prefix only over HTTPS. */
const cookieName = ({ settings }: Deps) => (isHttps(settings) ? '__Host-plimsoll_oidc' : 'plimsoll_oidc')

const purpose = 'plimsoll_oidc'

const isHttps = ({ publicUrl }: Deps['settings']) => publicUrl.startsWith('https:')

const flowSeconds = 10 * 60

export type StoredFlow = OidcFlow & { returnTo: string }

/** In the browser that began the sign-in, so that only this browser can complete it. Encrypted. */
export function setFlowCookie(deps: Deps, reply: FastifyReply, flow: StoredFlow): void {
  const text = JSON.stringify({ ...flow, until: deps.now().getTime() + flowSeconds * 1000 })
  reply.setCookie(cookieName(deps), deps.secrets.sealValue(text, purpose).toString('base64url'), {
    ...cookieOptions(deps),
    maxAge: flowSeconds,
  })
}

/** Undefined: the cookie is missing, expired, or from another service. The cookie is deleted, so that it works once. */
export function takeFlowCookie(deps: Deps, request: FastifyRequest, reply: FastifyReply): StoredFlow | undefined {
  const sealed = request.cookies[cookieName(deps)]
  if (sealed === undefined) return undefined
  reply.clearCookie(cookieName(deps), cookieOptions(deps))
  try {
    const text = deps.secrets.unsealValue(Buffer.from(sealed, 'base64url'), purpose)
    const { until, ...flow } = JSON.parse(text) as StoredFlow & { until: number }
    return until > deps.now().getTime() ? flow : undefined
  } catch {
    return undefined
  }
}

/** Lax: the browser must send it when it comes back from the identity provider. */
const cookieOptions = ({ settings }: Deps) =>
  ({
    httpOnly: true,
    sameSite: 'lax',
    secure: isHttps(settings),
    // The prefix requires the path of the whole site.
    path: isHttps(settings) ? '/' : pathOf(routes.finishOidc, {}),
  }) as const
