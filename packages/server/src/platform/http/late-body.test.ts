import type { Permission } from '@plimsoll/contract'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole, password, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { answerOn, listen, openSocket, type RawResponse } from '../../../test/raw-http.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { deleteApiKey } from '../../people/queries/api-keys.ts'
import { updateRole } from '../auth/queries/roles.ts'
import { deleteSession, deleteSessionsOf } from '../auth/queries/sessions.ts'
import { deleteUser, updateUser } from '../auth/queries/users.ts'
import { patience } from '../../../test/patience.ts'

const t = useTestApp()

let port: number
beforeAll(async () => {
  port = await listen(t.app)
})

type Late = { line: string; headers: Record<string, string>; body?: object; bucket: string }

/** Sends half a body, runs an action once the headers have passed the gate, and then sends the rest. */
async function meanwhile({ line, headers, body = {}, bucket }: Late, happen: () => Promise<unknown>) {
  const text = JSON.stringify(body)
  const sent = { ...headers, 'content-type': 'application/json', 'content-length': String(text.length) }
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}`)
  const socket = await openSocket(port)
  const answer = answerOn(socket)
  socket.write(`${line} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n${text.slice(0, 1)}`)
  await vi.waitFor(async () => expect(await wasCounted(bucket)).toBe(true), patience)
  await happen()
  socket.write(text.slice(1))
  return answer
}

const wasCounted = async (bucket: string) =>
  (await t.db.selectFrom('rate_limit').select('hits').where('bucket', '=', bucket).executeTakeFirst()) !== undefined

const asPerson = ({ bearer, userId }: Person) => ({ headers: bearer, bucket: `person:${userId}` })

const connect = (by: Pick<Late, 'headers' | 'bucket'>, name: string): Late => ({
  ...by,
  line: 'POST /api/v1/clusters',
  body: { name },
})

const codeOf = ({ body }: RawResponse) => (JSON.parse(body) as { code: string }).code

async function isConnected(name: string): Promise<boolean> {
  return (await t.db.selectFrom('cluster').select('name').where('name', '=', name).executeTakeFirst()) !== undefined
}

const disable = (userId: string) => updateUser(t.db, userId, { disabled: true }, t.clock.now)

describe('while the body of their change is in transit, a user', () => {
  test.each<{ what: string; happen: (person: Person) => Promise<unknown>; code: string }>([
    { what: 'is deleted', happen: ({ userId }) => deleteUser(t.db, userId), code: 'unauthenticated' },
    { what: 'is disabled', happen: ({ userId }) => disable(userId), code: 'unauthenticated' },
    { what: 'logs out', happen: ({ sessionId }) => deleteSession(t.db, sessionId), code: 'unauthenticated' },
    {
      what: 'is demoted',
      happen: ({ userId }) => updateUser(t.db, userId, { role: 'viewer' }, t.clock.now),
      code: 'forbidden',
    },
  ])('who $what changes nothing', async ({ what, happen, code }) => {
    const person = await aPerson(t)
    const answer = await meanwhile(connect(asPerson(person), what), () => happen(person))
    expectProblem(answer)
    expect(codeOf(answer)).toBe(code)
    expect(await isConnected(what)).toBe(false)
  })

  test('whose role loses the permission or the whole fleet changes nothing', async () => {
    const permissions: Permission[] = ['clusters:write']
    const { clusterId } = await aCluster(t)
    const outcome = async (name: string, grant: { permissions: Permission[]; clusters: string[] | null }) => {
      const role = await aRole(t, permissions)
      const happen = () => updateRole(t.db, role, { ...grant, namespaces: null, teams: null }, t.clock.now)
      return codeOf(await meanwhile(connect(asPerson(await aPerson(t, role)), name), happen))
    }
    expect(await outcome('no permission', { permissions: [], clusters: null })).toBe('forbidden')
    expect(await outcome('narrowed', { permissions, clusters: [clusterId] })).toBe('role_narrowed')
    expect([await isConnected('no permission'), await isConnected('narrowed')]).toEqual([false, false])
  })

  test('without a change, or with another sufficient role, succeeds', async () => {
    const [same, other] = [await aPerson(t), await aPerson(t)]
    const nothing = async () => undefined
    expect((await meanwhile(connect(asPerson(same), 'same'), nothing)).statusCode).toBe(201)
    const becomeEditor = () => updateUser(t.db, other.userId, { role: 'editor' }, t.clock.now)
    expect((await meanwhile(connect(asPerson(other), 'other'), becomeEditor)).statusCode).toBe(201)
  })

  test('grants no more than their current permissions', async () => {
    const lesser = await aRole(t, ['users:write'])
    const person = await aPerson(t)
    const body = { email: 'accomplice@example.com', role: 'admin' }
    const answer = await meanwhile({ ...asPerson(person), line: 'POST /api/v1/users', body }, () =>
      updateUser(t.db, person.userId, { role: lesser }, t.clock.now),
    )
    expect(codeOf(answer)).toBe('grant_exceeds_own')
  })

  test.each([
    { line: 'POST /auth/refresh', body: {} },
    { line: 'POST /auth/logout', body: {} },
    { line: 'POST /auth/password', body: { current_password: password, new_password: 'of a lost session' } },
    { line: 'POST /api/v1/api-keys', body: { name: 'to come back with' } },
  ])('whose session ends is not authenticated for $line', async ({ line, body }) => {
    const person = await aPerson(t)
    const hash = () =>
      t.db.selectFrom('app_user').select('password_hash').where('user_id', '=', person.userId).executeTakeFirst()
    const before = await hash()
    const answer = await meanwhile({ ...asPerson(person), line, body }, () => deleteSessionsOf(t.db, person.userId))
    expectProblem(answer, 'unauthenticated')
    expect(await hash()).toEqual(before)
    expect(await t.db.selectFrom('api_key').selectAll().where('user_id', '=', person.userId).execute()).toEqual([])
  })
})

test.each<{ what: string; happen: (ids: { keyId: string; userId: string }) => Promise<unknown> }>([
  { what: 'is revoked', happen: ({ keyId }) => deleteApiKey(t.db, keyId) },
  { what: 'belongs to a disabled user', happen: ({ userId }) => disable(userId) },
])('a key that $what while the body is on its way changes nothing', async ({ what, happen }) => {
  const { userId } = await aPerson(t)
  const { keyId, header } = await anApiKey(t, userId)
  const answer = await meanwhile(connect({ headers: header, bucket: `key:${keyId}` }, what), () =>
    happen({ keyId, userId }),
  )
  expectProblem(answer, 'unauthenticated')
  expect(await isConnected(what)).toBe(false)
})

test('a token that expires while the body is in transit changes nothing', async () => {
  const person = await aPerson(t)
  const answer = await meanwhile(connect(asPerson(person), 'expired'), async () => t.clock.advance(24 * 3_600_000))
  expectProblem(answer, 'unauthenticated')
})
