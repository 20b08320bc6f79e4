import { expect, test } from 'vitest'
import { aPerson } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import type { OpenApi } from './openapi.ts'

const t = useTestApp()

async function detailOf(method: 'POST' | 'PATCH', url: string, body: unknown): Promise<string> {
  const response = await send(t, { method, url, headers: (await aPerson(t)).bearer, body })
  expect(response.statusCode).toBe(422)
  return response.json<{ detail: string }>().detail
}

const role = { name: 'finops', permissions: ['clusters:read'] }

test.each<{ what: string; url: string; body: unknown; message: string }>([
  { what: 'no field at all', url: 'users/me', body: {}, message: 'The body must have at least 1 field.' },
  {
    what: 'text instead of a list',
    url: 'roles',
    body: { ...role, clusters: 'x' },
    message: '/clusters: must be a list or null, got "x".',
  },
  {
    what: 'an invalid cluster ID',
    url: 'roles',
    body: { ...role, clusters: ['prod'] },
    message: '/clusters/0: must be a cluster ID such as cls_01k3v7m9q2x4t6b8n0d2f4h6j8, got "prod".',
  },
  {
    what: 'a duplicate entry',
    url: 'roles',
    body: { ...role, namespaces: ['a', 'b', 'a'] },
    message: '/namespaces: must not contain duplicates (entries 0 and 2 are the same, counted from 0).',
  },
  {
    what: 'no e-mail address',
    url: 'users',
    body: { email: 'x', role: 'viewer' },
    message: '/email: must be an e-mail address, got "x".',
  },
  {
    what: 'an empty name',
    url: 'clusters',
    body: { name: '' },
    message: '/name: must not be empty, got "".',
  },
  { what: 'a number instead of text', url: 'clusters', body: { name: 5 }, message: '/name: must be text, got 5.' },
  {
    what: 'an invalid time',
    url: 'api-keys',
    body: { name: 'k', expires_at: 'soon' },
    message: '/expires_at: must be a time such as 2026-01-31T09:30:00Z, got "soon".',
  },
])('the problem for $what is plain text', async ({ url, body, message }) => {
  if (url !== 'users/me') return expect(await detailOf('POST', `/api/v1/${url}`, body)).toBe(message)
  const { userId } = await aPerson(t, 'viewer')
  expect(await detailOf('PATCH', `/api/v1/users/${userId}`, body)).toBe(message)
})

test('every pattern of a request also has a description', async () => {
  const api = (await send(t, { url: '/openapi.json' })).json<OpenApi>()
  const declared = Object.values(api.paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ parameters, requestBody }) => [...parameters, ...Object.values(requestBody?.content ?? {})])
  const patterns: unknown[] = []
  const visit = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    const { pattern, $ref, 'x-form': form } = value as Record<string, unknown>
    if (typeof pattern === 'string') patterns.push([pattern, typeof form])
    if (typeof $ref === 'string') visit(api.components.schemas[$ref.split('/').at(-1) ?? ''])
    for (const [name, child] of Object.entries(value)) if (name !== 'examples') visit(child)
  }
  visit(declared)
  expect(patterns.length).toBeGreaterThan(20)
  expect(patterns.filter((each) => (each as string[])[1] !== 'string')).toEqual([])
})

test('a body that is too large gets the limit', async () => {
  const { bearer: headers } = await aPerson(t)
  const body = JSON.stringify({ name: 'x'.repeat(300_000) })
  const answers = [
    await send(t, { method: 'POST', url: '/api/v1/clusters', headers, body }),
    await send(t, {
      method: 'POST',
      url: '/api/v1/clusters',
      headers: { ...headers, 'transfer-encoding': 'chunked' },
      body,
    }),
  ]
  for (const answer of answers) {
    expect(answer.json()).toMatchObject({
      status: 413,
      code: 'body_too_large',
      detail: 'This operation accepts at most 262144 bytes.',
      max_bytes: 262_144,
    })
  }
})

test('quoted input is shortened to a readable length', async () => {
  const response = await send(t, { url: `/api/v1/users/${'x'.repeat(5_000)}`, headers: (await aPerson(t)).bearer })
  expect(response.json<{ detail: string }>().detail).toBe(`There is no user '${'x'.repeat(100)}…'.`)
})
