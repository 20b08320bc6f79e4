import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aPerson, password as rightPassword, type Person } from '../../test/people.ts'
import { useTestApp } from '../../test/test-app.ts'
import { newDeviceCookie } from './login-throttle.ts'

const t = useTestApp()

/** These tests cover counting, so passwords are compared cheaply here; passwords.test.ts covers the hash. */
const verify = vi.fn(
  async (password: string, hash: string | null, _lane: string) => hash !== null && password === rightPassword,
)

let owner: Person
let home: string
let counter = 0

beforeEach(async () => {
  vi.spyOn(t.deps.passwords, 'verify').mockImplementation(verify)
  verify.mockClear()
  owner = await aPerson(t)
  home = anAddress()
})
afterEach(() => {
  vi.restoreAllMocks()
})

const anAddress = () => `198.51.${Math.floor((counter += 1) / 256)}.${counter % 256}`

type Attempt = { from: string; email?: string; password?: string; device?: string }

const logIn = ({ from, email = owner.email, password = rightPassword, device }: Attempt) =>
  t.app.inject({
    method: 'POST',
    url: '/auth/login',
    remoteAddress: from,
    headers: device === undefined ? {} : { cookie: `plimsoll_device=${device}` },
    payload: { email, password, cookie: true },
  })

const status = async (attempt: Attempt) => (await logIn(attempt)).statusCode

async function guess(times: number, attempt: Attempt): Promise<number[]> {
  const statuses: number[] = []
  for (let time = 0; time < times; time += 1) statuses.push(await status({ password: 'a guess', ...attempt }))
  return statuses
}

async function aKnownDevice(): Promise<string> {
  const { cookies } = await logIn({ from: anAddress() })
  const device = cookies.find(({ name }) => name === 'plimsoll_device')
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/auth' })
  return device?.value ?? ''
}

describe('an account', () => {
  test('accepts ten wrong passwords from one address and then not even the right one', async () => {
    expect(await guess(11, { from: home })).toEqual([...Array<number>(10).fill(401), 429])
    const answer = await logIn({ from: home })
    expect(answer.statusCode).toBe(429)
    expect(answer.json()).toMatchObject({ code: 'login_throttled' })
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })

  test('is open again when the window has passed', async () => {
    await guess(11, { from: home })
    await sql`update rate_limit set resets_at = statement_timestamp() where bucket like 'login-failures:%'`.execute(
      t.db,
    )
    expect(await status({ from: home })).toBe(200)
  })

  test('limits concurrent guesses', async () => {
    const statuses = await Promise.all(Array.from({ length: 30 }, () => status({ from: home, password: 'a guess' })))
    expect(statuses.filter((each) => each === 401)).toHaveLength(10)
    expect(verify).toHaveBeenCalledTimes(10)
  })

  test('is the same account in any spelling of its address', async () => {
    await guess(10, { from: home, email: owner.email.toUpperCase() })
    expect(await status({ from: home })).toBe(429)
  })

  test('that does not exist behaves like one that does', async () => {
    const [known, unknown] = [anAddress(), anAddress()]
    const answers = await Promise.all([
      logIn({ from: known, password: 'a guess' }),
      logIn({ from: unknown, email: 'nobody@example.com' }),
    ])
    const bodies = answers.map((answer) => ({ ...answer.json<object>(), request_id: '' }))
    expect(bodies[0]).toEqual(bodies[1])
    expect(await guess(11, { from: known })).toEqual([...Array<number>(9).fill(401), 429, 429])
    expect(await guess(11, { from: unknown, email: 'nobody@example.com' })).toEqual([
      ...Array<number>(9).fill(401),
      429,
      429,
    ])
  })

  test('of a disabled or invited user takes the same time and gets the same response', async () => {
    await t.db.updateTable('app_user').set({ disabled: true }).where('user_id', '=', owner.userId).execute()
    const disabled = await logIn({ from: home })
    const invited = await aPerson(t)
    await t.db.updateTable('app_user').set({ password_hash: null }).where('user_id', '=', invited.userId).execute()
    const withoutPassword = await logIn({ from: home, email: invited.email })
    expect([disabled.statusCode, withoutPassword.statusCode]).toEqual([401, 401])
    expect(verify.mock.calls.map(([, hash]) => hash)).toEqual([null, null])
    expect({ ...disabled.json<object>(), request_id: '' }).toEqual({
      ...withoutPassword.json<object>(),
      request_id: '',
    })
  })

  test('resets the failures when its owner signs in', async () => {
    await guess(9, { from: home })
    expect(await status({ from: home })).toBe(200)
    expect(await guess(10, { from: home })).toEqual(Array(10).fill(401))
  })
})

describe('the owner', () => {
  test('signs in despite guesses from one other address, or from fifty', async () => {
    await guess(20, { from: anAddress() })
    for (let each = 0; each < 50; each += 1) await guess(1, { from: anAddress() })
    expect(await status({ from: home })).toBe(200)
  })

  test('has a separate count for changing the password too: the cookie is sent to both paths', async () => {
    const device = await aKnownDevice()
    await guess(11, { from: home })
    const change = (cookies: Record<string, string>) =>
      t.app.inject({
        method: 'POST',
        url: '/auth/password',
        remoteAddress: home,
        headers: owner.bearer,
        cookies,
        payload: { current_password: rightPassword, new_password: 'a new password' },
      })
    expect((await change({})).statusCode).toBe(429)
    expect((await change({ plimsoll_device: device })).statusCode).toBe(204)
  })

  test('signs in with a known browser despite guesses behind the same address', async () => {
    const device = await aKnownDevice()
    await guess(11, { from: home })
    expect(await status({ from: home })).toBe(429)
    expect(await status({ from: home, device })).toBe(200)
  })

  test('signs in with a known browser although the address has exhausted its failures', async () => {
    const device = await aKnownDevice()
    await fillAddress(home)
    expect(await status({ from: home, device })).toBe(200)
  })
})

describe('a known browser', () => {
  test('has its own ten guesses, from any address', async () => {
    const device = await aKnownDevice()
    for (let each = 0; each < 10; each += 1) expect(await guess(1, { from: anAddress(), device })).toEqual([401])
    expect(await status({ from: anAddress(), device })).toBe(429)
    expect(await status({ from: home })).toBe(200)
  })

  test('is known for its own account only, and only with an unaltered signature', async () => {
    const device = await aKnownDevice()
    const other = await aPerson(t)
    const [id = '', signature = ''] = device.split('.')
    await guess(11, { from: home })
    await guess(11, { from: home, email: other.email })
    expect(await status({ from: home, email: other.email, device })).toBe(429)
    const forged = [`other.${signature}`, `${id}.`, id, '', '.', `${id}.${signature}x`, `${id}.${signature.slice(1)}`]
    for (const wrong of forged) expect(await status({ from: home, device: wrong })).toBe(429)
    expect(await status({ from: home, device: newDeviceCookie(t.deps, owner.email, 'another') })).toBe(200)
  })
})

describe('an address', () => {
  test('has a hundred failures over all accounts; other addresses are not affected', async () => {
    await fillAddress(home)
    expect(await status({ from: home })).toBe(429)
    expect(await status({ from: anAddress() })).toBe(200)
  })

  test('of IPv6 counts as the network of one host', async () => {
    await guess(10, { from: '2001:db8:1:1::1' })
    expect(await status({ from: '2001:db8:1:1:ffff::2' })).toBe(429)
    expect(await status({ from: '2001:db8:1:2::1' })).toBe(200)
  })
})

test('guesses at the current password are counted in the same way', async () => {
  const change = (current: string) =>
    t.app.inject({
      method: 'POST',
      url: '/auth/password',
      remoteAddress: home,
      headers: owner.bearer,
      payload: { current_password: current, new_password: 'another password' },
    })
  for (let each = 0; each < 10; each += 1) expect((await change('a guess')).statusCode).toBe(422)
  expect((await change(rightPassword)).statusCode).toBe(429)
  expect(await status({ from: home })).toBe(429)
})

/** A few at a time: a hundred at once would only test the connection pool. */
async function fillAddress(from: string): Promise<void> {
  const numbers = Array.from({ length: 100 }, (_, index) => index)
  for (let first = 0; first < numbers.length; first += 5) {
    const some = numbers.slice(first, first + 5)
    const attempts = some.map((n) => status({ from, email: `user-${n}@nowhere.example`, password: 'a guess' }))
    expect(await Promise.all(attempts)).toEqual(some.map(() => 401))
  }
}

describe('a flood', () => {
  test('from one /48 counts as one, with any number of its addresses', async () => {
    const sites = Array.from({ length: 100 }, (_, index) => `2001:db8:77:${index.toString(16)}::1`)
    for (const from of sites) await logIn({ from, email: `nobody-${from}@example.com`, password: 'a guess' })
    expect(await status({ from: '2001:db8:77:ffff::1' })).toBe(429)
    expect(await status({ from: '2001:db8:78::1' })).toBe(200)
  })

  test('of unknown addresses does not block addresses that have signed in before', async () => {
    await logIn({ from: home })
    expect(verify.mock.lastCall?.at(2)).toBe('stranger')
    await logIn({ from: home })
    expect(verify.mock.lastCall?.at(2)).toBe('known')
    await logIn({ from: anAddress() })
    expect(verify.mock.lastCall?.at(2)).toBe('stranger')
    await logIn({ from: anAddress(), device: await aKnownDevice() })
    expect(verify.mock.lastCall?.at(2)).toBe('known')
  })
})

describe('the audit', () => {
  const failuresFrom = async (address: string) =>
    (
      await t.db
        .selectFrom('audit_entry')
        .select(['actor_kind', 'target_id', 'detail'])
        .where('action', '=', 'user.fail_login')
        .where('address', '=', address)
        .orderBy(sql`(detail->>'attempts')::int`)
        .execute()
    ).map(({ actor_kind: who, target_id: whom, detail }) => ({ who, whom, detail }))

  const recorded = (hits: number) =>
    sql`insert into rate_limit values ('login-failures-audited', ${hits}, statement_timestamp() + interval '1 minute')
        on conflict (bucket) do update set hits = excluded.hits`.execute(t.db)

  test('shows the first failed sign-in of a window and the one that closes it, and no more', async () => {
    await recorded(0)
    await guess(15, { from: home })
    expect(await failuresFrom(home)).toEqual([
      { who: 'anonymous', whom: owner.userId, detail: { attempts: 1 } },
      { who: 'anonymous', whom: owner.userId, detail: { attempts: 10 } },
    ])
  })

  test('does not repeat the input for a user who does not exist', async () => {
    await recorded(0)
    await logIn({ from: home, email: 'my secret pass phrase', password: 'a guess' })
    expect(await failuresFrom(home)).toEqual([{ who: 'anonymous', whom: 'unknown', detail: { attempts: 1 } }])
  })

  test('is not filled by an attacker with many addresses: at most 500 entries in a window', async () => {
    await recorded(499)
    const [last, beyond] = [anAddress(), anAddress()]
    for (const from of [last, beyond]) await logIn({ from, password: 'a guess' })
    const further = 'failed sign-ins omitted from the audit log in the last 15 minutes'
    expect((await failuresFrom(last)).map(({ detail }) => detail)).toEqual([{ attempts: 1, further }])
    expect(await failuresFrom(beyond)).toEqual([])
  })
})
