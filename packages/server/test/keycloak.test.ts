import type { Me } from '@plimsoll/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findKeycloak, startKeycloak, type Keycloak } from './keycloak.ts'
import { aPerson, password } from './people.ts'
import { publicUrl, RedirectingBrowser } from './redirecting-browser.ts'
import { makeTestApp, send, type TestApp } from './test-app.ts'

const clientSecret = 'a secret of the test client'

const user = (username: string, groups: string[]) => ({
  username,
  email: `${username}@keycloak.test`,
  emailVerified: true,
  enabled: true,
  firstName: username,
  lastName: 'of the test',
  credentials: [{ type: 'password', value: password }],
  groups,
})

/** As docs/single-sign-on.md describes it: a client, and a mapper that adds the groups. */
const realm = {
  realm: 'company',
  enabled: true,
  sslRequired: 'none',
  groups: [{ name: 'platform-admins' }, { name: 'developers' }, { name: 'shop-developers' }],
  clients: [
    {
      clientId: 'plimsoll',
      secret: clientSecret,
      redirectUris: [`${publicUrl}/auth/oidc/callback`],
      standardFlowEnabled: true,
      protocolMappers: [
        {
          name: 'groups',
          protocol: 'openid-connect',
          protocolMapper: 'oidc-group-membership-mapper',
          config: { 'claim.name': 'groups', 'full.path': 'false', 'id.token.claim': 'true' },
        },
      ],
    },
  ],
  users: [user('ada', ['platform-admins']), user('bob', ['developers', 'shop-developers']), user('eve', [])],
}

const directory = findKeycloak()

describe.skipIf(directory === undefined)('sign-in with a real Keycloak', () => {
  let keycloak: Keycloak
  let t: TestApp

  beforeAll(async () => {
    keycloak = await startKeycloak(directory ?? '', realm)
    const oidc = { issuer: keycloak.issuer, clientId: 'plimsoll', clientSecret, groupsClaim: 'groups' }
    t = await makeTestApp({ settings: { oidc, outboundNetworks: ['127.0.0.1'] } })
    t.clock.now = new Date()
    const body = {
      roles: [
        { group: 'platform-admins', role: 'admin' },
        { group: 'developers', role: 'viewer', own_teams_only: true },
      ],
      teams: [{ group: 'shop-developers', team: 'shop' }],
    }
    const headers = (await aPerson(t)).bearer
    const set = await send(t, { method: 'PUT', url: '/api/v1/sign-in-rules', headers, body })
    expect(set.statusCode).toBe(200)
  }, 600_000)
  afterAll(async () => {
    await keycloak.close()
    await t.app.close()
    await t.drop()
  })

  /** Opens the login form of Keycloak, fills it in and follows the redirects. */
  async function signInAs(username: string) {
    const browser = new RedirectingBrowser(t)
    const { body } = await browser.open('/auth/oidc/start')
    const action = /<form[^>]*action="([^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')
    if (action === undefined) throw new Error(`no login form:\n${body}`)
    const { url } = await browser.open(action, { method: 'POST', form: { username, password } })
    const me = await send(t, { url: '/auth/me', headers: browser.cookieHeader() })
    return { path: `${url.pathname}${url.search}`, me: me.json<Me>() }
  }

  test('an admin of the company is an admin here', async () => {
    const { path, me } = await signInAs('ada')
    expect(path).toBe('/')
    expect(me).toMatchObject({ user: { email: 'ada@keycloak.test', role: 'admin' }, teams: null })
  })

  test('a developer sees only their team', async () => {
    const { me } = await signInAs('bob')
    expect(me).toMatchObject({ user: { role: 'viewer' }, teams: ['shop'] })
  })

  test('a user without a group has no access', async () => {
    const { path } = await signInAs('eve')
    expect(path).toBe('/sign-in?failure=no_access')
  })
})
