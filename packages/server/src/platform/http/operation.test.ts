import { expect, test, vi } from 'vitest'
import { aPerson } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

test('the readiness probe queries the database at most once a second', async () => {
  const connect = vi.spyOn(t.pool, 'connect')
  const probe = async (times: number) =>
    new Set(
      await Promise.all(Array.from({ length: times }, async () => (await send(t, { url: '/readyz' })).statusCode)),
    )
  expect(await probe(50)).toEqual(new Set([200]))
  expect(connect.mock.calls.length).toBe(1)
  t.clock.advance(999)
  await probe(5)
  expect(connect.mock.calls.length).toBe(1)
  t.clock.advance(1)
  await probe(5)
  expect(connect.mock.calls.length).toBe(2)
  connect.mockRestore()
})

test('the favicon that browsers request by default exists', async () => {
  const response = await send(t, { url: '/favicon.ico' })
  expect(response.statusCode).toBe(200)
  expect(response.headers['content-type']).toBe('image/svg+xml')
})

test('a credential in the wrong header gets a hint with the right one', async () => {
  const { token } = await aPerson(t)
  const key = `plk_${'0'.repeat(26)}_${'0'.repeat(59)}`
  const detail = async (headers: Record<string, string>) => {
    const response = await send(t, { url: '/api/v1/clusters', headers })
    expect(response.statusCode).toBe(401)
    return response.json<{ detail: string }>().detail
  }
  expect(await detail({ 'x-api-key': token })).toBe('This is a sign-in token: send it as Authorization: Bearer.')
  expect(await detail({ 'x-api-key': key.replace('plk', 'pla') })).toContain('agent token')
  expect(await detail({ authorization: token })).toContain('a space and the token')
})
