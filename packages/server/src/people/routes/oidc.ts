import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type LoginResult, type OidcFailure } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { AddressRefusedError } from '../../platform/outbound/judged-address.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem } from '../../platform/http/problem.ts'
import { admitPerson } from '../oidc/admit-person.ts'
import { setFlowCookie, takeFlowCookie } from '../oidc/flow-cookie.ts'
import { OidcError } from '../oidc/oidc-error.ts'
import { OidcProvider, type OidcPerson } from '../oidc/provider.ts'
import { setSessionCookies, signIn } from '../sign-in.ts'

/** Sign-in with an identity provider by OpenID Connect: code flow with PKCE. */
export const oidcRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const provider = deps.settings.oidc && new OidcProvider(deps, deps.settings.oidc)

  /** The limit per address is checked before the handler. The service answers other errors. */
  const errorHandler = (error: Error, _request: FastifyRequest, reply: FastifyReply): void => {
    if (!(error instanceof Problem) || error.code !== 'rate_limited') throw error
    void reply.redirect(signInPage('too_many_requests', '/'), 302)
  }

  handle(app, operations.listSignInMethods, {
    handler: async () => ({ password: deps.settings.passwordOnlyFor === null, oidc: provider !== undefined }),
  })

  handle(app, operations.startOidc, {
    errorHandler,
    handler: async (request, reply) => {
      const returnTo = ownPage(request.query.return_to)
      return endOnSignInPage(request, reply, returnTo, async () => {
        const { url, flow } = await unlessUnreachable(request, () => demand(provider).begin())
        setFlowCookie(deps, reply, { ...flow, returnTo })
        return url.href
      })
    },
  })

  handle(app, operations.finishOidc, {
    errorHandler,
    handler: (request, reply) => {
      const flow = takeFlowCookie(deps, request, reply)
      return endOnSignInPage(request, reply, flow?.returnTo ?? '/', async () => {
        const known = demand(provider)
        if (!flow) throw new OidcError('expired')
        if (request.query.error !== undefined) throw new OidcError(failureOf(request.query.error))
        const person = await unlessUnreachable(request, () => known.finish(queryOf(request), flow))
        const result = await openSession(deps, request, person)
        setSessionCookies(deps, reply, result)
        return flow.returnTo
      })
    },
  })
}

async function openSession(deps: Deps, request: FastifyRequest, person: OidcPerson): Promise<LoginResult> {
  const result = await deps.db.transaction().execute(async (tx) => {
    const user = await admitPerson(deps, tx, request, person)
    return user && signIn(deps, tx, request, { ...user, isSso: true })
  })
  // After the transaction, because the end of an earlier access is stored too.
  if (!result) throw new OidcError('no_access')
  return result
}

/** A browser that navigates shows pages, not JSON: a failure is shown on the sign-in page. */
async function endOnSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  returnTo: string,
  act: () => Promise<string>,
) {
  reply.header('cache-control', 'no-store')
  try {
    return await reply.redirect(await act(), 302)
  } catch (error) {
    if (!(error instanceof OidcError)) throw error
    request.log.info({ failure: error.failure }, 'sign-in with the identity provider failed')
    return reply.redirect(signInPage(error.failure, returnTo), 302)
  }
}

const signInPage = (failure: OidcFailure, returnTo: string) =>
  `/sign-in?failure=${failure}${returnTo === '/' ? '' : `&next=${encodeURIComponent(returnTo)}`}`

const ownPagePattern = /^\/(?:[!-.0-[\]-~][!-[\]-~]{0,1998})?$/

/** A path of the dashboard. The flow cookie has no room for a longer one. */
const ownPage = (path = '/') => (ownPagePattern.test(path) ? path : '/')

/** The reason is in the log only: it can contain addresses inside the network. */
async function unlessUnreachable<T>(request: FastifyRequest, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof OidcError || error instanceof Problem) throw error
    request.log.warn({ err: error }, 'the identity provider did not complete a sign-in')
    throw new OidcError(isUnreachable(error) ? 'unreachable' : 'failed')
  }
}

/** The client library wraps errors of the network. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AddressRefusedError || error.name === 'TimeoutError' || error.name === 'AbortError') return true
  const code = 'code' in error ? String(error.code) : ''
  return /^E(?:CONN|HOST|NET|NOTFOUND|AI_|TIMEDOUT|PIPE)/.test(code) || isUnreachable(error.cause)
}

const failureOf = (error: string): OidcFailure => (error === 'access_denied' ? 'cancelled' : 'failed')

const queryOf = (request: FastifyRequest) => request.url.slice(request.url.indexOf('?') + 1)

function demand(provider: OidcProvider | undefined): OidcProvider {
  if (provider) return provider
  throw new Problem(
    'identity_provider_not_found',
    'Set PLIMSOLL_OIDC_ISSUER and PLIMSOLL_OIDC_CLIENT_ID to sign in this way.',
  )
}
