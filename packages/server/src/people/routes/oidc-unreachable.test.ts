import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientId, clientSecret, openProvider, type TestProvider } from '../../../test/oidc-provider.ts'
import { publicUrl } from '../../../test/redirecting-browser.ts'
import { makeTestApp, send, type TestApp } from '../../../test/test-app.ts'

let provider: TestProvider
beforeAll(async () => {
  provider = await openProvider(`${publicUrl}/auth/oidc/callback`)
})
afterAll(() => provider.close())

describe('an identity provider that does not answer', () => {
  const startWith = async (settings: Partial<TestApp['deps']['settings']>) => {
    const other = await makeTestApp({ settings })
    const response = await send(other, { url: '/auth/oidc/start' })
    await other.app.close()
    await other.drop()
    return response.headers.location
  }
  const oidc = { clientId, clientSecret, groupsClaim: 'groups' }

  test('is named as unreachable', async () => {
    const closed = await openProvider(publicUrl)
    await closed.close()
    const settings = { oidc: { ...oidc, issuer: closed.issuer }, outboundNetworks: ['127.0.0.1'] }
    expect(await startWith(settings)).toBe('/sign-in?failure=unreachable')
  })

  test('is not called at an address that is not allowed', async () => {
    const settings = { oidc: { ...oidc, issuer: provider.issuer }, outboundNetworks: [] }
    expect(await startWith(settings)).toBe('/sign-in?failure=unreachable')
  })

  test('fails if its document is of another issuer', async () => {
    const settings = { oidc: { ...oidc, issuer: `${provider.issuer}/realms/x` }, outboundNetworks: ['127.0.0.1'] }
    expect(await startWith(settings)).toBe('/sign-in?failure=failed')
  })
})
