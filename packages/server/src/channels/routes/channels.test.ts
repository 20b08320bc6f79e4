import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aMessage, queue } from '../../../test/channels.ts'
import { aPerson, aRole } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { answering, openReceiver, type Receiver } from '../../../test/receiver.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'
import { workOff } from '../../../test/work-off.ts'

const t = useTestApp({ settings: { outboundNetworks: ['127.0.0.1'] } })

let receiver: Receiver
let headers: Record<string, string>

beforeAll(async () => {
  receiver = await openReceiver()
  headers = (await aPerson(t)).bearer
})
afterAll(() => receiver.close())
beforeEach(async () => {
  await t.db.deleteFrom('channel').execute()
  receiver.received.length = 0
  receiver.answer = answering(200)
})

const call = (method: Call['method'], url: string, body?: unknown, more: Record<string, string> = {}) =>
  send(t, { method: method ?? 'GET', url: `/api/v1/channels${url}`, headers: { ...headers, ...more }, body })

type Made = { id: string; host: string; secret?: string; enabled: boolean }

async function make(body: object = {}): Promise<Made> {
  const response = await call('POST', '', { name: 'ops', kind: 'webhook', url: `${receiver.url}/hook-1234`, ...body })
  expect(response.statusCode, response.body).toBe(201)
  return response.json<Made>()
}

const auditTexts = async () =>
  (
    await t.db.selectFrom('audit_entry').select(['action', 'detail']).where('target_type', '=', 'channel').execute()
  ).map(({ action, detail }) => `${action} ${JSON.stringify(detail)}`)

describe('a channel', () => {
  test('is created, read, listed, changed and deleted, each with an audit entry', async () => {
    const { id, secret } = await make()
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const read = await call('GET', `/${id}`)
    expect(read.json()).toEqual({
      id,
      name: 'ops',
      kind: 'webhook',
      host: new URL(receiver.url).host,
      events: null,
      enabled: true,
      disabled_reason: null,
      waiting: 0,
      dead: 0,
      last_delivered_at: null,
      created_at: t.clock.now.toISOString(),
      updated_at: t.clock.now.toISOString(),
      etag: expect.stringMatching(/^"1-/) as string,
    })
    expect((await call('GET', '')).json()).toMatchObject({ channels: [{ id }], has_more: false })
    const etag = String(read.headers.etag)
    const changed = await call('PATCH', `/${id}`, { name: 'night', events: ['cluster_silent'] }, { 'if-match': etag })
    expect(changed.json()).toMatchObject({ name: 'night', events: ['cluster_silent'] })
    expectProblem(await call('PATCH', `/${id}`, { name: 'other' }, { 'if-match': etag }), 'precondition_failed')
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    expectProblem(await call('GET', `/${id}`), 'channel_not_found')
    expect((await auditTexts()).map((text) => text.split(' ')[0])).toEqual([
      'channel.create',
      'channel.update',
      'channel.delete',
    ])
  })

  test('never returns its address or its secret, and stores them encrypted', async () => {
    const { id, secret = '' } = await make()
    const { id: pager } = await make({ name: 'pager', kind: 'pagerduty', url: undefined, routing_key: 'K'.repeat(32) })
    const { id: mail } = await make({
      name: 'mail',
      kind: 'email',
      url: undefined,
      recipients: ['ada@Example.com', 'eva@example.org'],
    })
    const shown = [
      await call('GET', ''),
      await call('GET', `/${pager}`),
      await call('GET', `/${mail}`),
      await call('PATCH', `/${id}`, { url: `${receiver.url}/hook-5678` }),
      await call('POST', `/${id}/test`),
    ]
    const rows = await t.db.selectFrom('channel').selectAll().execute()
    const texts = [
      ...shown.map(({ body }) => body),
      ...rows.map((row) => `${row.sealed.toString('latin1')} ${JSON.stringify(row)}`),
      ...(await auditTexts()),
      JSON.stringify(await t.db.selectFrom('delivery').selectAll().execute()),
      JSON.stringify(await t.db.selectFrom('idempotent_answer').selectAll().execute()),
    ]
    for (const text of texts) {
      for (const hidden of ['hook-1234', 'hook-5678', 'K'.repeat(32), 'ada@', 'eva@', secret.slice(6)])
        expect(text).not.toContain(hidden)
    }
    const hosts = shown[0]?.json<{ channels: Made[] }>().channels.map(({ host }) => host)
    expect(hosts?.toSorted()).toEqual([new URL(receiver.url).host, 'events.pagerduty.com', 'example.com, example.org'])
    expect(receiver.received[0]?.path).toBe('/hook-5678')
  })

  test('shows its secret once: a replay with the same Idempotency-Key has none', async () => {
    const body = { name: 'ops', kind: 'webhook', url: receiver.url }
    const first = await call('POST', '', body, { 'idempotency-key': 'one' })
    const second = await call('POST', '', body, { 'idempotency-key': 'one' })
    expect(first.json<Made>().secret).toBeDefined()
    expect(second.json()).toEqual({ ...first.json<Made>(), secret: undefined })
    expect(await t.db.selectFrom('channel').select('channel_id').execute()).toHaveLength(1)
  })

  test('that is disabled gets no messages, and its waiting messages are cancelled', async () => {
    const { id } = await make()
    await queue(t.deps, aMessage())
    expect((await call('PATCH', `/${id}`, { enabled: false })).json()).toMatchObject({
      enabled: false,
      disabled_reason: 'user',
      waiting: 0,
    })
    await queue(t.deps, aMessage({ dedupKey: 'later' }))
    const { deliveries } = (await call('GET', `/${id}/deliveries`)).json<{ deliveries: object[] }>()
    expect(deliveries).toMatchObject([{ state: 'cancelled', next_try_at: null }])
    expect((await call('PATCH', `/${id}`, { enabled: true })).json()).toMatchObject({ enabled: true })
  })

  test('needs a role for the whole fleet', async () => {
    const role = await aRole(t, ['webhooks:read', 'webhooks:write'], { namespaces: ['shop'] })
    const { bearer } = await aPerson(t, role)
    expectProblem(await send(t, { url: '/api/v1/channels', headers: bearer }), 'role_narrowed')
  })
})

describe('bad input is rejected without quoting the address:', () => {
  test.each([
    ['a webhook without URL', { url: undefined }, '/url', 'required'],
    ['a URL of an e-mail channel', { kind: 'email', recipients: ['ada@example.com'] }, '/url', 'unwanted'],
    ['a metadata service', { url: 'http://169.254.169.254/latest' }, '/url', 'address_refused'],
    ['a private address', { url: 'http://10.0.0.1/x' }, '/url', 'address_refused'],
    ['a private address in other notation', { url: 'http://0x0a.1/x' }, '/url', 'address_refused'],
    ['a user name in the URL', { url: 'https://user:secret@example.com/' }, '/url', 'url'],
    ['another scheme', { url: 'ftp://example.com/secret' }, '/url', 'pattern'],
    ['a short routing key', { kind: 'pagerduty', url: undefined, routing_key: 'short' }, '/routing_key', 'pattern'],
    ['no recipients', { kind: 'email', url: undefined, recipients: [] }, '/recipients', 'minItems'],
    ['an unknown event', { events: ['weather'] }, '/events/0', 'enum'],
  ])('%s', async (_name, fields, pointer, code) => {
    const response = await call('POST', '', { name: 'ops', kind: 'webhook', url: 'https://example.com', ...fields })
    expectProblem(response, 'invalid_body')
    expect(response.json()).toMatchObject({ errors: [{ pointer, code }] })
  })

  test('a name that is taken', async () => {
    await make()
    const { id } = await make({ name: 'other' })
    expectProblem(await call('POST', '', { name: 'ops', kind: 'slack', url: receiver.url }), 'channel_name_taken')
    expectProblem(await call('PATCH', `/${id}`, { name: 'ops' }), 'channel_name_taken')
  })
})

describe('a test', () => {
  test('sends a real message and returns the result', async () => {
    const { id } = await make({ kind: 'slack' })
    const response = await call('POST', `/${id}/test`)
    expect(response.json()).toMatchObject({ delivered: true, status: 200, error: null })
    expect(JSON.parse(receiver.received[0]?.body ?? '')).toMatchObject({ text: 'ℹ️ Test message from Plimsoll' })
  })

  test('of a failing receiver is not repeated, and the log has its status', async () => {
    const { id } = await make()
    receiver.answer = answering(500)
    const response = await call('POST', `/${id}/test`)
    expect(response.json()).toMatchObject({ delivered: false, status: 500, error: 'status' })
    await workOff(t)
    expect(receiver.received).toHaveLength(1)
    expect((await call('GET', `/${id}/deliveries`)).json()).toMatchObject({
      deliveries: [{ event: 'test', state: 'dead', tries: [{ status: 500, error: 'status' }] }],
    })
    // A failed test message does not count as a lost message.
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ dead: 0 })
    expect((await call('POST', `/${id}/redeliver`, {})).json()).toEqual({ queued: 0 })
  })

  test('with the same Idempotency-Key sends one message', async () => {
    const { id } = await make()
    const first = await call('POST', `/${id}/test`, undefined, { 'idempotency-key': 'test' })
    const second = await call('POST', `/${id}/test`, undefined, { 'idempotency-key': 'test' })
    expect(second.json()).toEqual(first.json())
    expect(receiver.received).toHaveLength(1)
  })
})

describe('dead deliveries', () => {
  const die = async (id: string, key: string) => {
    await queue(t.deps, aMessage({ dedupKey: key }))
    await t.db
      .updateTable('delivery')
      .set({ state: 'dead', tries: 10, ended_at: t.clock.now })
      .where('channel_id', '=', id)
      .where('dedup_key', '=', key)
      .execute()
  }

  test('are sent again, one or all', async () => {
    const { id } = await make()
    for (const key of ['a', 'b', 'c']) await die(id, key)
    const dead = (await call('GET', `/${id}/deliveries?state=dead`)).json<{ deliveries: { id: string }[] }>().deliveries
    expect(dead).toHaveLength(3)
    const one = await call('POST', `/${id}/redeliver`, { delivery_ids: [dead[2]?.id] })
    expect([one.statusCode, one.json()]).toEqual([202, { queued: 1 }])
    await workOff(t)
    expect(receiver.received.map((each) => each.headers['webhook-id'])).toEqual([dead[2]?.id])
    expectProblem(await call('POST', `/${id}/redeliver`, { delivery_ids: [dead[2]?.id] }), 'delivery_not_dead')
    expect((await call('POST', `/${id}/redeliver`, {})).json()).toEqual({ queued: 2 })
    await workOff(t)
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ dead: 0, waiting: 0 })
    expect(receiver.received).toHaveLength(3)
  })

  test('are not sent again after the end of their event was delivered', async () => {
    const { id } = await make()
    await die(id, 'a')
    await queue(t.deps, aMessage({ dedupKey: 'a', endedAt: t.clock.now.toISOString() }), 'resolved')
    await workOff(t)
    expect(receiver.received).toHaveLength(1)
    expect((await call('POST', `/${id}/redeliver`, {})).json()).toEqual({ queued: 0 })
    expect((await call('GET', `/${id}`)).json()).toMatchObject({ dead: 0, waiting: 0 })
  })

  test('of a disabled channel wait until it is enabled', async () => {
    const { id } = await make()
    await die(id, 'a')
    await call('PATCH', `/${id}`, { enabled: false })
    expectProblem(await call('POST', `/${id}/redeliver`, {}), 'channel_disabled')
  })

  test('are listed page by page, newest first', async () => {
    const { id } = await make()
    for (const key of ['a', 'b', 'c']) await queue(t.deps, aMessage({ dedupKey: key, title: key }))
    type Page = { deliveries: { title: string }[]; next_cursor: string }
    const first = (await call('GET', `/${id}/deliveries?limit=2`)).json<Page>()
    const rest = (await call('GET', `/${id}/deliveries?limit=2&cursor=${first.next_cursor}`)).json<Page>()
    expect([...first.deliveries, ...rest.deliveries].map(({ title }) => title)).toEqual(['c', 'b', 'a'])
  })
})
