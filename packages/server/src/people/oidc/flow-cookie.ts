import { pathOf, routes } from '@plimsoll/contract/routes'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import type { OidcFlow } from './provider.ts'

const flowCookie = 'plimsoll_oidc'

const flowSeconds = 10 * 60

export type StoredFlow = OidcFlow & { returnTo: string }

/** In the browser that began the sign-in, so that only this browser can complete it. Encrypted. */
export function setFlowCookie(deps: Deps, reply: FastifyReply, flow: StoredFlow): void {
  const text = JSON.stringify({ ...flow, until: deps.now().getTime() + flowSeconds * 1000 })
  reply.setCookie(flowCookie, deps.secrets.sealValue(text, flowCookie).toString('base64url'), {
    ...cookieOptions(deps),
    maxAge: flowSeconds,
  })
}

/** Undefined: the cookie is missing, expired, or from another service. The cookie is deleted, so that it works once. */
export function takeFlowCookie(deps: Deps, request: FastifyRequest, reply: FastifyReply): StoredFlow | undefined {
  const sealed = request.cookies[flowCookie]
  if (sealed === undefined) return undefined
  reply.clearCookie(flowCookie, cookieOptions(deps))
  try {
    const text = deps.secrets.unsealValue(Buffer.from(sealed, 'base64url'), flowCookie)
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
    secure: settings.publicUrl.startsWith('https:'),
    path: pathOf(routes.finishOidc, {}),
  }) as const
