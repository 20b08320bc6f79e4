import { pathOf, routes } from '@plimsoll/contract/routes'
import type { IDToken } from 'openid-client'
import * as oidc from 'openid-client'
import type { OidcSettings } from '../../platform/config.ts'
import type { Deps } from '../../platform/deps.ts'
import { AddressGuard } from '../../platform/outbound/address-guard.ts'
import { fetchGuarded } from '../../platform/outbound/fetch-guarded.ts'
import { OidcError } from './oidc-error.ts'

/** The values of a sign-in that the service compares with the callback of the browser. */
export type OidcFlow = { state: string; nonce: string; verifier: string }

/** The claims of a user that the service reads. */
export type OidcPerson = {
  issuer: string
  subject: string
  /** Undefined: the provider sends none. */
  email: string | undefined
  isEmailVerified: boolean
  groups: string[]
}

const discoveryMs = 3_600_000

/** The identity provider of the settings. Its addresses and keys are read at the first sign-in and then each hour. */
export class OidcProvider {
  readonly #settings: OidcSettings
  readonly #deps: Pick<Deps, 'now' | 'settings'>
  #known: { config: Promise<oidc.Configuration>; until: number } | undefined

  constructor(deps: Pick<Deps, 'now' | 'settings'>, settings: OidcSettings) {
    this.#deps = deps
    this.#settings = settings
  }

  get #redirectUri(): string {
    return this.#deps.settings.publicUrl + pathOf(routes.finishOidc, {})
  }

  /** The address that the browser opens, and what the callback must match. */
  async begin(): Promise<{ url: URL; flow: OidcFlow }> {
    const config = await this.#configuration()
    const flow = { state: oidc.randomState(), nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: this.#redirectUri,
      scope: this.#scope(config),
      state: flow.state,
      nonce: flow.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
      code_challenge_method: 'S256',
    })
    return { url, flow }
  }

  /** Exchanges the code of the callback. Signature, issuer, audience, nonce and times are checked. */
  async finish(query: string, { state, nonce, verifier }: OidcFlow): Promise<OidcPerson> {
    const config = await this.#configuration()
    const tokens = await oidc.authorizationCodeGrant(config, new URL(`${this.#redirectUri}?${query}`), {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (!claims) throw new Error('the provider sent no ID token')
    const more = await this.#userInfo(config, tokens.access_token, claims)
    // The address and its verification must come from one response.
    const { email, email_verified: verified } = claims.email === undefined ? more : claims
    const person = { ...more, ...claims, email, email_verified: verified }
    return personOf(person, this.#settings.groupsClaim)
  }

  /** Some providers send e-mail and groups only here. */
  async #userInfo(config: oidc.Configuration, token: string, claims: IDToken): Promise<Record<string, unknown>> {
    const isComplete = claims.email !== undefined && claims[this.#settings.groupsClaim] !== undefined
    if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return {}
    return oidc.fetchUserInfo(config, token, claims.sub)
  }

  /** `groups` is a scope of some providers; others refuse an unknown scope. */
  #scope(config: oidc.Configuration): string {
    const supported = config.serverMetadata().scopes_supported ?? []
    return ['openid', 'email', 'profile', ...(supported.includes('groups') ? ['groups'] : [])].join(' ')
  }

  /** A failed discovery is not kept. */
  #configuration(): Promise<oidc.Configuration> {
    const now = this.#deps.now().getTime()
    if (this.#known && now < this.#known.until) return this.#known.config
    const config = this.#discover()
    const known = { config, until: now + discoveryMs }
    this.#known = known
    config.catch(() => {
      if (this.#known === known) this.#known = undefined
    })
    return config
  }

  async #discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#settings
    const guard = new AddressGuard(this.#deps.settings.outboundNetworks)
    const guarded: oidc.CustomFetch = (url, { method, headers, body }) =>
      fetchGuarded(
        url,
        { method, headers, ...(body == null ? {} : { body: bodyText(body) }) },
        { guard, msMax: 10_000, bytesMax: 1024 * 1024 },
      )
    // The guard decides about plain HTTP: only to networks that the operator has allowed.
    return oidc.discovery(new URL(issuer), clientId, clientSecret, clientAuthentication(clientSecret), {
      [oidc.customFetch]: guarded,
      execute: [
        oidc.enableNonRepudiationChecks,
        ...(new URL(issuer).protocol === 'http:' ? [oidc.allowInsecureRequests] : []),
      ],
    })
  }
}

/** A provider without a list accepts the secret in a header: the default of the specification. */
function clientAuthentication(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None()
  return (server, ...rest) => {
    const { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] } = server
    const isPosted = methods.includes('client_secret_post')
    return (isPosted ? oidc.ClientSecretPost(secret) : oidc.ClientSecretBasic(secret))(server, ...rest)
  }
}

/** The client sends forms, as objects or as text. */
function bodyText(body: NonNullable<oidc.FetchBody>): string {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new Error('unexpected body of a request to the identity provider')
}

/** Microsoft Entra ID replaces a long list of groups by a link, which other providers do not have. */
function personOf(claims: Record<string, unknown>, groupsClaim: string): OidcPerson {
  const overage = claims._claim_names
  if (typeof overage === 'object' && overage !== null && groupsClaim in overage) throw new OidcError('too_many_groups')
  const { iss, sub, email, email_verified: verified } = claims
  return {
    issuer: String(iss),
    subject: String(sub),
    email: typeof email === 'string' && email.includes('@') ? email.toLowerCase() : undefined,
    // Amazon Cognito sends a text.
    isEmailVerified: verified === true || verified === 'true',
    groups: textsOf(claims[groupsClaim]),
  }
}

function textsOf(claim: unknown): string[] {
  if (typeof claim === 'string') return [claim]
  return Array.isArray(claim) ? claim.filter((each) => typeof each === 'string') : []
}
