// The capacity of one server process on an empty directory, started with npm start: npm run bench:http
// Everything is on as in production: authentication, permissions, the exact rate limit, real PostgreSQL, real sockets.
// Limits allow 100 requests per minute per user and 200 per key, so the load comes from thousands of callers. Each of
// them calls once before the measurement. Generator, server and PostgreSQL share the machine, so times depend on it.
// The work is given in core-seconds too.
import { randomBytes, randomUUID } from 'node:crypto'
import { Pool } from 'undici'
import { newCredential, storedText } from '../packages/server/src/platform/auth/credential-text.ts'
import { Tokens } from '../packages/server/src/platform/auth/tokens.ts'
import type { Db } from '../packages/server/src/platform/db/database.ts'
import { newId, newOpaqueId } from '../packages/server/src/platform/ids.ts'
import { admin, BenchServer, clearLimits, percentile, type CoreSeconds } from './lib/bench-server.ts'

const callers = 2_500
const now = () => new Date()

type Sample = {
  seconds: number
  requests: number
  sortedMs: number[]
  statuses: Map<number, number>
  cpu: CoreSeconds
}

const server = await BenchServer.start()
const { base } = server
try {
  print('npm start, from an empty directory to ready', `${server.readySeconds.toFixed(2)} s`, '< 5 s')
  await measure()
} finally {
  await server.stop()
}

async function measure(): Promise<void> {
  const { db, close } = await server.openDatabase()
  const people = await makePeople(db)
  const keys = await makeKeys(db, people.userIds)
  await makeClusters(db, 10)

  await load({ headers: people.headers, requests: callers })
  await load({ headers: keys, requests: callers })
  await clearLimits(db)
  report(
    'GET /clusters, JWT, 10 clusters',
    await load({ headers: people.headers, seconds: 10 }),
    '≥ 1,500/s on one core',
  )
  await clearLimits(db)
  report('GET /clusters, API key, 10 clusters', await load({ headers: keys, seconds: 10 }), '≥ 1,500/s on one core')
  await clearLimits(db)
  report(
    'the same at a steady 500/s, JWT',
    await load({ headers: people.headers, seconds: 10, perSecond: 500 }),
    'p99 < 20 ms',
  )
  await clearLimits(db)
  report('sign-in, sequential', await logIns(db, 60), '')
  await soak(db, people.headers)
  await makeClusters(db, 990)
  await clearLimits(db)
  report('GET /clusters, JWT, 1,000 clusters on one page', await load({ headers: people.headers, seconds: 10 }), '')
  await close()
}

/** Memory must not grow with the number of requests: compares 20,000 with 100,000. */
async function soak(db: Db, headers: Record<string, string>[]): Promise<void> {
  const early = await load({ headers, requests: 20_000 }).then(() => server.rssMegabytes())
  await clearLimits(db)
  const late = await load({ headers, requests: 80_000, refill: () => clearLimits(db) }).then(() =>
    server.rssMegabytes(),
  )
  print('memory after 20,000 and 100,000 more requests', `${early} MB → ${late} MB`, '< 200 MB and flat')
}

type Load = {
  headers: Record<string, string>[]
  seconds?: number
  requests?: number
  perSecond?: number
  refill?: () => Promise<void>
}

/** A closed loop over 32 connections, or an open loop at a fixed rate. */
async function load({ headers, seconds = Infinity, requests = Infinity, perSecond, refill }: Load): Promise<Sample> {
  const client = new Pool(base, { connections: 32 })
  const sortedMs: number[] = []
  const statuses = new Map<number, number>()
  const before = await server.coreSeconds()
  const from = performance.now()
  let sent = 0
  const more = () => sent < requests && performance.now() - from < seconds * 1000
  const one = async () => {
    const header = headers[sent++ % headers.length]
    const at = performance.now()
    const { statusCode, body } = await client.request({
      method: 'GET',
      path: '/api/v1/clusters',
      headers: header ?? {},
    })
    await body.dump()
    sortedMs.push(performance.now() - at)
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
    if (refill && sent % 20_000 === 0) await refill()
  }
  if (perSecond === undefined) {
    await Promise.all(Array.from({ length: 32 }, async () => { while (more()) await one() })) // prettier-ignore
  } else {
    await paced(perSecond, more, one)
  }
  const elapsed = (performance.now() - from) / 1000
  await client.close()
  sortedMs.sort((a, b) => a - b)
  return {
    seconds: elapsed,
    requests: sent,
    sortedMs,
    statuses,
    cpu: await server.coreSecondsSince(before),
  }
}

async function paced(perSecond: number, more: () => boolean, one: () => Promise<void>): Promise<void> {
  const running: Promise<void>[] = []
  const from = performance.now()
  for (let started = 0; more();) {
    const due = ((performance.now() - from) / 1000) * perSecond
    while (started < due && more()) {
      running.push(one())
      started += 1
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(running)
}

async function logIns(db: Db, count: number): Promise<Sample> {
  const sortedMs: number[] = []
  const before = await server.coreSeconds()
  const from = performance.now()
  for (let done = 0; done < count; done += 1) {
    if (done % 50 === 0) await clearLimits(db)
    const at = performance.now()
    const response = await fetch(`${base}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(admin),
    })
    if (response.status !== 200) throw new Error(`sign-in answered ${response.status}`)
    await response.arrayBuffer()
    sortedMs.push(performance.now() - at)
  }
  sortedMs.sort((a, b) => a - b)
  const seconds = (performance.now() - from) / 1000
  return {
    seconds,
    requests: count,
    sortedMs,
    statuses: new Map([[200, count]]),
    cpu: await server.coreSecondsSince(before),
  }
}

function report(what: string, { seconds, requests, sortedMs, statuses, cpu }: Sample, aim: string): void {
  const at = (share: number) => percentile(sortedMs, share).toFixed(1)
  const others = [...statuses].filter(([status]) => status !== 200).map(([status, count]) => `, ${count} × ${status}`)
  const perCore = (used: number) => String(Math.round(requests / used))
  const work = `, per core-second: ${perCore(cpu.server)} server, ${perCore(cpu.database)} PostgreSQL`
  print(
    what,
    `${Math.round(requests / seconds)}/s, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms${work}${others.join('')}`,
    aim,
  )
}

function print(what: string, figure: string, aim: string): void {
  console.log(`${what.padEnd(48)} ${figure}${aim === '' ? '' : `   [aim: ${aim}]`}`)
}

async function makePeople(db: Db): Promise<{ userIds: string[]; headers: Record<string, string>[] }> {
  const tokens = new Tokens(await server.openSecrets(db), now)
  const people = Array.from({ length: callers }, () => ({ userId: randomUUID(), sessionId: newId('ses', now()) }))
  const dates = { created_at: now(), updated_at: now() }
  await db
    .insertInto('app_user')
    .values(people.map(({ userId }) => ({ user_id: userId, email: `${userId}@example.com`, role: 'viewer', ...dates })))
    .execute()
  const expires = new Date(now().getTime() + 86_400_000)
  await db
    .insertInto('session')
    .values(
      people.map(({ userId, sessionId }) => ({
        session_id: sessionId,
        user_id: userId,
        created_at: now(),
        expires_at: expires,
      })),
    )
    .execute()
  const issued = await Promise.all(people.map((person) => tokens.issue(person)))
  return {
    userIds: people.map(({ userId }) => userId),
    headers: issued.map(({ token }) => ({ authorization: `Bearer ${token}` })),
  }
}

async function makeKeys(db: Db, userIds: string[]): Promise<Record<string, string>[]> {
  const secrets = await server.openSecrets(db)
  const keys = userIds.map((userId) => {
    const id = newOpaqueId(now())
    const { text, secret } = newCredential('plk', id)
    return {
      text,
      row: {
        key_id: `key_${id}`,
        user_id: userId,
        name: 'bench',
        secret_mac: secrets.mac(storedText('plk', secret)),
        created_at: now(),
      },
    }
  })
  await db.insertInto('api_key').values(keys.map(({ row }) => row)).execute() // prettier-ignore
  return keys.map(({ text }) => ({ 'x-api-key': text }))
}

async function makeClusters(db: Db, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => newId('cls', now()))
  const place = { provider: 'aws', region: 'eu-central-1', created_at: now(), updated_at: now() }
  const name = () => `cluster-${randomBytes(6).toString('hex')}`
  await db.insertInto('cluster').values(rows.map((id) => ({ cluster_id: id, name: name(), ...place }))).execute() // prettier-ignore
  await db.insertInto('cluster_state').values(rows.map((id) => ({ cluster_id: id }))).execute() // prettier-ignore
}
