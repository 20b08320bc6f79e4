import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider from 'oidc-provider'

/** A person of the test provider, by the claims that it sends. */
export type TestPerson = { sub: string; claims: Record<string, unknown> }

export type TestProvider = { issuer: string; people: Map<string, TestPerson>; close: () => Promise<void> }

export const clientId = 'plimsoll'
export const clientSecret = 'a secret of the test client'

/**
 * The certified provider of npm, on a loopback port. Instead of forms it signs in the person whose subject is in the
 * request header `x-person`.
 */
export async function openProvider(redirectUri: string): Promise<TestProvider> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const key = await generateKeyPair('RS256', { extractable: true })
  const people = new Map<string, TestPerson>()
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(key.privateKey)), alg: 'RS256', use: 'sig' }] },
    pkce: { required: () => true },
    scopes: ['openid', 'email', 'profile', 'groups'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups', '_claim_names'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['of the test'] },
    findAccount: (_context, sub) => {
      const person = people.get(sub)
      return person && { accountId: sub, claims: () => ({ sub, ...person.claims }) }
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600, AuthorizationCode: 60 },
  })
  answer(server, provider)
  return { issuer, people, close: () => closed(server) }
}

function answer(server: Server, provider: Provider): void {
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) {
      void handle(request, response)
      return
    }
    void (async () => {
      const { prompt, params } = await provider.interactionDetails(request, response)
      const person = String(request.headers['x-person'])
      if (person === 'refuses') {
        await provider.interactionFinished(request, response, { error: 'access_denied' })
        return
      }
      if (prompt.name === 'login') {
        await provider.interactionFinished(request, response, { login: { accountId: person } })
        return
      }
      const grant = new provider.Grant({ accountId: person, clientId: String(params.client_id) })
      grant.addOIDCScope(String(params.scope))
      await provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
    })()
  })
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
