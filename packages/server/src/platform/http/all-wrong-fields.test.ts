import { expect, test } from 'vitest'
import { aCluster, aPerson, aRole } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

type Method = 'POST' | 'PATCH' | 'PUT'
type Answer = { status: number; code: string; detail: string; errors: { pointer: string; code: string }[] }

async function wrongIn(method: Method, url: string, body: unknown): Promise<Answer> {
  const { bearer } = await aPerson(t)
  return (await send(t, { method, url: `/api/v1${url}`, headers: bearer, body })).json<Answer>()
}

const noCluster = `cls_${'0'.repeat(26)}`
const aDiscount = { kind: 'discount', provider: 'aws', percent: 10 }

test.each<{ name: string; method: Method; url: string; body: object; pointers: string[] }>([
  {
    name: 'a user',
    method: 'POST',
    url: '/users',
    body: { email: 'nobody', role: 'wizard', password: 'short' },
    pointers: ['/email', '/password', '/role'],
  },
  {
    name: 'an API key',
    method: 'POST',
    url: '/api-keys',
    body: { name: '', scopes: ['clusters:fly'], expires_at: '2001-01-01T00:00:00Z' },
    pointers: ['/expires_at', '/name', '/scopes/0'],
  },
  {
    name: 'a role',
    method: 'POST',
    url: '/roles',
    body: { name: 'ops', permissions: ['clusters:fly'], clusters: [noCluster] },
    pointers: ['/clusters', '/permissions/0'],
  },
  {
    name: 'a policy',
    method: 'PUT',
    url: '/policies',
    body: { cluster_id: noCluster, settings: { dial: 'reckless' } },
    pointers: ['/cluster_id', '/settings/dial'],
  },
  {
    name: 'a price',
    method: 'POST',
    url: '/price-overrides',
    body: { kind: 'discount', percent: '101 %', cluster_id: noCluster, note: 7, region: 'eu' },
    pointers: ['/cluster_id', '/note', '/percent', '/provider', '/region'],
  },
  {
    name: 'rates of which the only one is refused',
    method: 'POST',
    url: '/price-overrides',
    body: { kind: 'custom_rates', cluster_id: noCluster, usd_per_gib_month: true },
    pointers: ['/cluster_id', '/usd_per_gib_month'],
  },
  {
    name: 'rates that are not named at all',
    method: 'POST',
    url: '/price-overrides',
    body: { kind: 'custom_rates', cluster_id: noCluster, note: 7 },
    pointers: ['/cluster_id', '/kind', '/note'],
  },
  {
    name: 'a price without a start',
    method: 'POST',
    url: '/price-overrides',
    body: { ...aDiscount, effective_from: 'yesterday', effective_until: '2026-01-01T00:00:00Z' },
    pointers: ['/effective_from'],
  },
  {
    name: 'a price that ends before it begins',
    method: 'POST',
    url: '/price-overrides',
    body: { ...aDiscount, note: 7, effective_until: '2026-01-01T00:00:00Z' },
    pointers: ['/effective_until', '/note'],
  },
  {
    name: 'a price that its schema accepts',
    method: 'POST',
    url: '/price-overrides',
    body: { kind: 'discount', provider: 'aws', percent: -1, cluster_id: noCluster },
    pointers: ['/cluster_id', '/percent'],
  },
])('the problem for $name lists every wrong field', async ({ method, url, body, pointers }) => {
  const answer = await wrongIn(method, url, body)
  expect(answer).toMatchObject({ status: 422, code: 'invalid_body' })
  // For a field with two alternatives, both are reported.
  expect([...new Set(answer.errors.map(({ pointer }) => pointer))].sort()).toEqual(pointers)
})

const unknownFields = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`unknown_${index}`, true]))

test.each([
  {
    name: 'too large to list all of it',
    url: '/roles',
    body: { name: 7, permissions: ['x'.repeat(17 * 1024)], clusters: [['a'], ['b', 'c']] },
    count: 1,
  },
  { name: 'wrong in too many places', url: '/price-overrides', body: { ...unknownFields(20), kind: 'x' }, count: 20 },
])('a body that is $name is rejected with the listed errors', async ({ url, body, count }) => {
  const answer = await wrongIn('POST', url, body)
  expect(answer).toMatchObject({ status: 422, code: 'invalid_body' })
  expect(answer.errors).toHaveLength(count)
})

test('so is an invalid change of a user', async () => {
  const { userId } = await aPerson(t, 'viewer')
  const { errors } = await wrongIn('PATCH', `/users/${userId}`, { role: 'wizard', disabled: 'yes' })
  expect(errors.map(({ pointer }) => pointer).sort()).toEqual(['/disabled', '/role'])
})

test('each field is reported once, and valid fields are not reported', async () => {
  const { clusterId } = await aCluster(t)
  const role = await aRole(t, ['clusters:read'])
  const body = { permissions: 'all', clusters: [clusterId] }
  expect((await wrongIn('PATCH', `/roles/${role}`, body)).errors).toMatchObject([{ pointer: '/permissions' }])
  const { errors, detail } = await wrongIn('POST', '/users', { email: 'grace@example.com', role: 7 })
  expect(errors).toMatchObject([{ pointer: '/role', code: 'type' }])
  expect(detail).toContain('/role')
})

test('a caller without permission gets only that error', async () => {
  const { bearer } = await aPerson(t, 'viewer')
  const body = { email: 'nobody', role: 'wizard' }
  const answer = await send(t, { method: 'POST', url: '/api/v1/users', headers: bearer, body })
  expect(answer.json()).toMatchObject({ status: 403 })
})
