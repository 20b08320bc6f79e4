import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { password } from '../../../test/people.ts'
import { hashOnce } from '../../../test/password-hash.ts'
import { exchange, listen } from '../../../test/raw-http.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'
import { buildApp } from '../../app.ts'
import { insertUser } from '../auth/queries/users.ts'

const t = useTestApp()

const lines: string[] = []
const log = pino(
  { level: 'trace', base: null },
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString())
      done()
    },
  }),
)

type Line = { request_id?: string; status?: number; path?: string; level: number; msg: string; credentialId?: string }

const logged = () => lines.map((line) => JSON.parse(line) as Line)

let ask: (call: Call) => ReturnType<typeof send>
let port: number

beforeAll(async () => {
  const app = await buildApp({ ...t.deps, log })
  ask = (call) => send({ app }, call)
  port = await listen(app)
  const passwordHash = await hashOnce(password)
  const now = t.deps.now()
  await insertUser(t.db, {
    userId: '00000000-0000-4000-8000-000000000001',
    email: 'ada@example.com',
    role: 'admin',
    passwordHash,
    now,
  })
  lines.splice(0)
  return () => app.close()
})

type Secrets = Partial<Record<'token' | 'key' | 'agent_token' | 'link', string>> & { invitation?: { link?: string } }

test('a session of calls leaves no secret in the log', async () => {
  const wrong = 'a wrong password'
  await ask({ method: 'POST', url: '/auth/login', body: { email: 'ada@example.com', password: wrong } })
  await ask({ method: 'POST', url: '/auth/login', body: `{"email":"ada@example.com","password":"${wrong}` })
  const login = await ask({
    method: 'POST',
    url: '/auth/login',
    body: { email: 'ada@example.com', password, cookie: true },
  })
  const { token = '' } = login.json<Secrets>()
  const headers = { authorization: `Bearer ${token}` }
  // The cookie that scripts may read is not secret.
  const secretCookies = [login.headers['set-cookie'] ?? []].flat().filter((each) => each.includes('; HttpOnly'))
  const cookies = secretCookies.map((each) => /=([^;]*)/.exec(each)?.[1] ?? '')

  const make = async (url: string, body: object) => (await ask({ method: 'POST', url, headers, body })).json<Secrets>()
  const { agent_token: agentToken = '' } = await make('/api/v1/clusters', { name: 'logged' })
  const { key = '' } = await make('/api/v1/api-keys', { name: 'logged' })
  const { invitation } = await make('/api/v1/users', { email: 'grace@example.com', role: 'viewer' })
  const code = invitation?.link?.split('#')[1] ?? ''
  await make('/api/v1/users', { email: 'eve@example.com', role: 'viewer', password: 'an initial password' })
  await make('/auth/accept', { code, password: 'a chosen password' })
  await make('/auth/accept', { code, password: 'a late password' })
  await make('/auth/password', { current_password: 'a false password', new_password: 'a next password' })
  const { token: renewed = '' } = await make('/auth/refresh', {})
  await ask({ url: '/auth/me', headers: { 'x-api-key': key } })
  await ask({ url: '/auth/me', headers: { 'x-api-key': key, ...headers } })
  await ask({ url: '/auth/me', headers: { cookie: `plimsoll_session=${token}` } })
  await ask({ url: '/api/v1/clusters', headers: { authorization: `Bearer ${agentToken}` } })
  await ask({ url: `/api/v1/clusters?token=${token}`, headers })
  await ask({ url: `/nothing?api_key=${key}` })
  await ask({ url: `/%zz?api_key=${key}` })
  await exchange(port, `GET http://ada:a+wrong+password@h/none HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`)
  await exchange(port, `garbage ${key}\r\n\r\n`)

  const random = [token, renewed, ...cookies, agentToken, key, code]
  expect(random.filter((secret) => secret.length < 50)).toEqual([])
  const chosen = [wrong, 'a+wrong+password', password, 'an initial password', 'a chosen password', 'a late password']
  expect(lines.length).toBeGreaterThan(18)
  const text = lines.join('')
  for (const secret of [...chosen, 'a false password', 'a next password']) expect(text).not.toContain(secret)
  // A part of a random secret must not appear either.
  for (const secret of random) expect(text).not.toContain(secret.slice(-20))
})

test('every line has a request id', () => {
  expect(logged().filter(({ request_id: id }) => id === undefined)).toEqual([])
})

test('a call leaves one line, with the id that the caller got', async () => {
  lines.splice(0)
  const response = await ask({ url: '/nothing?q=1', headers: { 'x-request-id': 'mine' } })
  expect(response.statusCode).toBe(404)
  expect(logged()).toMatchObject([
    { request_id: 'mine', method: 'GET', path: '/nothing', status: 404, msg: 'request completed' },
  ])
})

test('an undecodable address and an unparsable request are logged too', async () => {
  lines.splice(0)
  const undecodable = await ask({ url: '/%zz' })
  const unparsable = await exchange(port, 'garbage\r\n\r\n')
  expect(logged().map(({ request_id: id, status }) => [id, status])).toEqual([
    [undecodable.headers['x-request-id'], 400],
    [unparsable.headers['x-request-id'], 400],
  ])
})

test('successful probes are not logged', async () => {
  lines.splice(0)
  for (const url of ['/healthz', '/readyz', '/metrics']) await ask({ url })
  expect(lines).toEqual([])
})
