import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Random } from '../../simulator/src/index.ts'
import { requeueDead } from '../src/channels/queries/outbox.ts'
import { Secrets } from '../src/platform/auth/secrets.ts'
import type { Db } from '../src/platform/db/database.ts'
import { bundleFixtures } from './bundle-fixtures.ts'
import { aChannel, aMessage, queue } from './channels.ts'
import { openReceiver, type Received } from './receiver.ts'

const serverDir = fileURLToPath(new URL('..', import.meta.url))

export type DeliveryOptions = {
  seed: number
  events: number
  /** Events with one key, which must arrive in order. */
  keys: number
  kills: number
  /** The share of requests that the receiver fails. */
  failingShare: number
}

type Accepted = { key: string; number: number; id: string }

export type DeliveryReport = {
  requests: number
  /** Messages that the receiver accepted, in order, those sent twice included. */
  accepted: Accepted[]
  /** The same for dead messages that were sent again, which come out of order. */
  acceptedLater: Accepted[]
  kills: number
  /** Messages that were dead after ten tries, and were sent again. */
  redelivered: number
  states: Record<string, number>
}

/** Queues events, kills the process that sends them at seeded statements, and starts it again until all have ended. */
export async function runDeliveryRounds(
  { db, url }: { db: Db; url: string },
  { seed, events, keys, kills, failingShare }: DeliveryOptions,
): Promise<DeliveryReport> {
  const random = new Random(seed)
  const receiver = await openReceiver()
  const bundle = await mkdtemp(join(serverDir, '.delivery-'))
  const accepted: Accepted[] = []
  receiver.answer = (received, response) => {
    const chance = random.next()
    if (chance < failingShare / 3) return void response.destroy()
    if (chance < failingShare) return void response.writeHead(chance < failingShare / 2 ? 429 : 503).end()
    accepted.push(acceptedOf(received))
    // The sender may be dead by now.
    response.on('error', () => undefined)
    response.writeHead(200).end()
  }
  try {
    await bundleFixtures(bundle, { 'delivery-server': 'delivery-server.ts' })
    const now = () => new Date('2026-03-01T12:00:00Z')
    const deps = { db, now, secrets: await Secrets.open({ db, now }) }
    const { channelId } = await aChannel(deps, 'webhook', { url: receiver.url })
    for (let number = 0; number < events; number += 1) {
      const message = aMessage({
        dedupKey: `key ${number % keys}`,
        facts: [{ label: 'Number', value: String(number) }],
      })
      await queue(deps, message, `event ${number}`)
    }
    const run = (strike: Record<string, string>) =>
      runSender(join(bundle, 'delivery-server.js'), { DATABASE_URL: url, CHANNEL_ID: channelId, ...strike })
    let killed = 0
    for (let round = 0; round < kills; round += 1) {
      const statements = String(random.between(0, Math.max(40, Math.floor((events * 6) / (kills + 1)))))
      const signal = await run({ STRIKE_STATEMENTS: statements, STRIKE_AFTER: random.next() < 0.5 ? '1' : '0' })
      if (signal === 'SIGKILL') killed += 1
    }
    await run({})
    const inOrder = accepted.length
    const redelivered = await redeliverAll(db, channelId, () => run({}))
    return {
      requests: receiver.received.length,
      accepted: accepted.slice(0, inOrder),
      acceptedLater: accepted.slice(inOrder),
      kills: killed,
      redelivered,
      states: await countStates(db, channelId),
    }
  } finally {
    await receiver.close()
    await rm(bundle, { recursive: true, force: true })
  }
}

function acceptedOf({ headers, body }: Received): Accepted {
  const { data } = JSON.parse(body) as { data: { dedup_key: string; facts: [{ value: string }] } }
  return { key: data.dedup_key, number: Number(data.facts[0].value), id: String(headers['webhook-id']) }
}

/** The signal that ended the process, or null. */
async function runSender(program: string, env: Record<string, string>): Promise<string | null> {
  const child = fork(program, { execArgv: [], stdio: 'inherit', env: { PATH: process.env.PATH, ...env } })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (signal === null && code !== 0) throw new Error(`the sender ended with ${code}`)
  return signal
}

/** Until none is left: a redelivery may fail ten times as well. */
async function redeliverAll(db: Db, channelId: string, run: () => Promise<unknown>): Promise<number> {
  for (let total = 0; ;) {
    const ids = await requeueDead(db, { channelId, ids: null, triesMax: 10, now: new Date('2026-03-01T12:00:00Z') })
    if (ids.length === 0) return total
    total += ids.length
    await run()
  }
}

async function countStates(db: Db, channelId: string): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('delivery')
    .select((eb) => ['state', eb.fn.countAll<string>().as('count')])
    .where('channel_id', '=', channelId)
    .groupBy('state')
    .execute()
  return Object.fromEntries(rows.map(({ state, count }) => [state, Number(count)]))
}

/** Messages that came after a later one with the same key. */
export function outOfOrder(accepted: readonly Accepted[]): Accepted[] {
  const last = new Map<string, number>()
  return accepted.filter(({ key, number }) => {
    const before = last.get(key) ?? -1
    last.set(key, Math.max(before, number))
    return number < before
  })
}
