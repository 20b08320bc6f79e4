import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aChannel, aMessage, queue } from '../../../test/channels.ts'
import { patience } from '../../../test/patience.ts'
import { answering, openReceiver, type Receiver } from '../../../test/receiver.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { workOff } from '../../../test/work-off.ts'
import { retention } from '../../maintenance/retention.ts'
import { sweep } from '../../maintenance/sweep.ts'
import { requeueDead } from '../queries/outbox.ts'
import { queueMessage } from '../queue-message.ts'
import { deliverChannel } from './deliver.ts'

const t = useTestApp({ settings: { outboundNetworks: ['127.0.0.1'] } })

let receiver: Receiver
let channelId: string
let secret: string

beforeEach(async () => {
  receiver = await openReceiver()
  ;({ channelId, secret } = await aChannel(t.deps, 'webhook', { url: receiver.url }))
})
afterEach(async () => {
  await receiver.close()
  await t.db.deleteFrom('channel').execute()
})

const deliver = () => deliverChannel(t.deps, channelId)
const rows = (of = channelId) =>
  t.db.selectFrom('delivery').selectAll().where('channel_id', '=', of).orderBy('position').execute()
const states = async (of = channelId) => (await rows(of)).map(({ state }) => state)
const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const typesReceived = () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type)

/** Advances the clock to each next try until nothing waits. */
async function deliverAll(): Promise<void> {
  for (let next = await deliver(); next; next = await deliver()) t.clock.now = next
}

test('a queued message is sent by the real queue, and any library of the specification verifies its signature', async () => {
  await queue(t.deps, aMessage())
  // Of the time of the test, because the library rejects old timestamps.
  vi.useFakeTimers({ now: t.clock.now, toFake: ['Date'] })
  try {
    await workOff(t)
    const [{ headers, body }] = receiver.received as [Receiver['received'][number]]
    expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({
      type: 'cluster_silent',
      data: { title: 'No data from cluster prod', links: [{ url: 'http://plimsoll.test/clusters/cls_1' }] },
    })
    expect(() => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)).toThrow()
  } finally {
    vi.useRealTimers()
  }
  expect(await states()).toEqual(['delivered'])
})

test('a failed message is tried again after 5 seconds with the same id, and its end follows in order', async () => {
  receiver.answer = answering(500)
  await queue(t.deps, aMessage())
  const next = await deliver()
  expect(next).toEqual(new Date(t.clock.now.getTime() + 5_000))
  await queue(t.deps, aMessage({ endedAt: '2026-03-01T12:00:00.000Z' }), 'resolved')
  await deliver()
  expect(typesReceived()).toEqual(['cluster_silent'])

  receiver.answer = answering(204)
  t.clock.advance(5_000)
  await deliver()
  expect(typesReceived()).toEqual(['cluster_silent', 'cluster_silent', 'cluster_silent.resolved'])
  expect(ids()[1]).toBe(ids()[0])
  expect(ids()[2]).not.toBe(ids()[0])
  expect(await states()).toEqual(['delivered', 'delivered'])
})

test('after ten tries in 75 hours the message is not sent again, and a redelivery has ten more', async () => {
  receiver.answer = answering(500)
  await queue(t.deps, aMessage())
  const startedAt = t.clock.now.getTime()
  await deliverAll()
  expect(receiver.received).toHaveLength(10)
  expect(new Set(ids()).size).toBe(1)
  expect(Math.floor((t.clock.now.getTime() - startedAt) / 3_600_000)).toBe(75)
  expect(await states()).toEqual(['dead'])

  const tries = await t.db.selectFrom('delivery_try').selectAll().orderBy('number').execute()
  expect(tries).toHaveLength(10)
  expect(tries[0]).toMatchObject({ number: 1, status: 500, error: 'status' })

  await requeueDead(t.db, { channelId, ids: null, triesMax: 10, now: t.clock.now })
  receiver.answer = answering(200)
  await deliverAll()
  expect(receiver.received).toHaveLength(11)
  expect(await states()).toEqual(['delivered'])
})

test('Retry-After of the receiver is respected', async () => {
  receiver.answer = answering(429, { 'retry-after': '600' })
  await queue(t.deps, aMessage())
  expect(await deliver()).toEqual(new Date(t.clock.now.getTime() + 600_000))
})

test('a transition is queued once, for each channel that receives the event', async () => {
  const other = await aChannel(t.deps, 'webhook', { url: receiver.url })
  const silent = await aChannel(t.deps, 'webhook', { url: receiver.url })
  await t.db
    .updateTable('channel')
    .set({ events: ['saving_reverted'] })
    .where('channel_id', '=', silent.channelId)
    .execute()
  await queue(t.deps, aMessage())
  await queue(t.deps, aMessage({ title: 'again' }))
  expect(await states()).toEqual(['waiting'])
  expect(await states(other.channelId)).toEqual(['waiting'])
  expect(await states(silent.channelId)).toEqual([])
})

test('a message exists if and only if its cause is stored', async () => {
  const failing = t.db.transaction().execute(async (tx) => {
    await queueMessage(tx, { message: aMessage(), transition: 'firing' }, t.clock.now)
    throw new Error('the cause failed')
  })
  await expect(failing).rejects.toThrow('the cause failed')
  expect(await rows()).toEqual([])
})

test('an event that ended before its first try is cancelled, and its end is not sent', async () => {
  await queue(t.deps, aMessage())
  await queue(t.deps, aMessage({ endedAt: '2026-03-01T12:00:00.000Z' }), 'resolved')
  await deliver()
  expect(receiver.received).toEqual([])
  expect(await states()).toEqual(['cancelled'])
})

test('the end of an event goes only to channels that received the event', async () => {
  await queue(t.deps, aMessage())
  await deliver()
  const late = await aChannel(t.deps, 'webhook', { url: receiver.url })
  await queue(t.deps, aMessage({ endedAt: '2026-03-01T12:00:00.000Z' }), 'resolved')
  expect(await states()).toEqual(['delivered', 'waiting'])
  expect(await states(late.channelId)).toEqual([])
})

test.each([
  ['webhook', 410, true],
  ['webhook', 404, false],
  ['slack', 404, true],
  ['teams', 410, false],
] as const)('%s: status %d disables the channel: %s', async (kind, status, isDisabled) => {
  const channel = await aChannel(t.deps, kind, { url: receiver.url })
  receiver.answer = answering(status)
  await queue(t.deps, aMessage({ dedupKey: 'one' }))
  await queue(t.deps, aMessage({ dedupKey: 'two' }))
  await deliverChannel(t.deps, channel.channelId)
  const row = await t.db
    .selectFrom('channel')
    .selectAll()
    .where('channel_id', '=', channel.channelId)
    .executeTakeFirstOrThrow()
  expect(row.disabled_reason).toBe(isDisabled ? 'gone' : null)
  expect(new Set(await states(channel.channelId))).toEqual(new Set([isDisabled ? 'dead' : 'waiting']))
})

test('a redirect to a metadata service fails and is not followed', async () => {
  receiver.answer = answering(302, { location: 'http://169.254.169.254/latest/meta-data/' })
  await queue(t.deps, aMessage())
  await deliver()
  expect(receiver.received).toHaveLength(1)
  const [tried] = await t.db.selectFrom('delivery_try').selectAll().execute()
  expect(tried).toMatchObject({ status: 302, error: 'redirect' })
})

test('the address is checked at every try', async () => {
  await queue(t.deps, aMessage())
  const strict = { ...t.deps, settings: { ...t.deps.settings, outboundNetworks: [] } }
  await deliverChannel(strict, channelId)
  expect(receiver.received).toEqual([])
  const [tried] = await t.db.selectFrom('delivery_try').selectAll().execute()
  expect(tried).toMatchObject({ status: null, error: 'address_refused' })
})

describe('a slow receiver', () => {
  test('gets four messages at a time, from all servers together, and holds up no other channel', async () => {
    const held: (() => void)[] = []
    receiver.answer = (_received, response) => held.push(() => response.writeHead(200).end())
    for (const key of 'abcdefghij') await queue(t.deps, aMessage({ dedupKey: key }))
    const servers = [deliver(), deliver(), deliver()]
    await vi.waitUntil(() => held.length === 4, patience)

    const quick = await openReceiver()
    const other = await aChannel(t.deps, 'webhook', { url: quick.url })
    await queue(t.deps, aMessage({ dedupKey: 'quick' }))
    await deliverChannel(t.deps, other.channelId)
    expect(quick.received).toHaveLength(1)
    await quick.close()
    expect(held).toHaveLength(4)

    receiver.answer = answering(200)
    for (const answer of held) answer()
    await Promise.all(servers)
    expect(receiver.received).toHaveLength(11)
    expect(new Set(ids()).size).toBe(11)
  })
})

test('a message whose server crashed is sent again by the next sweep after its claim has expired', async () => {
  await queue(t.deps, aMessage())
  await t.db
    .updateTable('delivery')
    .set({ tries: 1, claimed_until: new Date(t.clock.now.getTime() + 60_000) })
    .execute()
  await deliver()
  await sweep(t.deps)
  await workOff(t)
  expect(receiver.received).toEqual([])
  t.clock.advance(60_000)
  await sweep(t.deps)
  await workOff(t)
  expect(await states()).toEqual(['delivered'])
  expect(receiver.received).toHaveLength(1)
})

test('a message that is queued while its channel is being disabled is cancelled by the sweep', async () => {
  await queue(t.deps, aMessage())
  await t.db.updateTable('channel').set({ disabled_reason: 'user' }).where('channel_id', '=', channelId).execute()
  await deliver()
  await sweep(t.deps)
  expect(await states()).toEqual(['cancelled'])
  expect(receiver.received).toEqual([])
})

test('deliveries are kept for 90 days after their end', async () => {
  await queue(t.deps, aMessage())
  await deliver()
  await queue(t.deps, aMessage({ dedupKey: 'waiting' }))
  t.clock.advance(90 * 86_400_000)
  await retention(t.deps)
  expect(await states()).toEqual(['delivered', 'waiting'])
  t.clock.advance(1)
  await retention(t.deps)
  expect(await states()).toEqual(['waiting'])
})
