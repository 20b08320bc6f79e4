// The cost of a large cluster for the server:
//   npm run bench:cost [-- --sizes 1,0.1,0.01 --minutes 65 --cadence 15 --fleet 1000]
// Size 1 is 5,000 nodes, 150,000 pods, 225,000 containers, 30,000 workloads. Its minutes are generated beforehand and
// sent every `cadence` seconds, as by an agent that catches up. Meanwhile a client reads figures over 30 days every
// second. One hour ends during the run; with fewer than 65 minutes this has too much weight. Then a fleet of small
// clusters reports. Client, server and PostgreSQL share the machine.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Job } from '@plimsoll/contract'
import { sql } from 'kysely'
import { makeAgentToken } from '../packages/server/src/platform/auth/make-agent-token.ts'
import { insertCluster } from '../packages/server/src/clusters/queries/clusters.ts'
import type { Db } from '../packages/server/src/platform/db/database.ts'
import type { Deps } from '../packages/server/src/platform/deps.ts'
import { newId } from '../packages/server/src/platform/ids.ts'
import {
  fullSize,
  largeScenario,
  openWorld,
  SimulatedAgent,
  type EncodedBatch,
  type LargeOptions,
} from '../packages/simulator/src/index.ts'
import { admin, BenchServer, clearLimits, percentile } from './lib/bench-server.ts'
import { fillDays } from './lib/fill-days.ts'
import { hourTables, line, mib, tableBytes, walBytes } from './lib/usage.ts'

const { values } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1,0.1,0.01' },
    minutes: { type: 'string', default: '65' },
    cadence: { type: 'string', default: '15' },
    fleet: { type: 'string', default: '1000' },
  },
})
const minutes = Number(values.minutes)
const cadenceMs = Number(values.cadence) * 1000

type Rig = { server: BenchServer; db: Db; key: Record<string, string> }
type Reporter = { clusterId: string; token: string }

async function onServer(work: (rig: Rig) => Promise<void>): Promise<void> {
  const server = await BenchServer.start()
  const { db, close } = await server.openDatabase()
  try {
    await work({ server, db, key: await makeKey(server) })
  } finally {
    await close()
    await server.stop()
  }
}

async function measureCluster(rig: Rig, size: number): Promise<void> {
  const { server, db } = rig
  const cluster = sized(size)
  // So that an hour ends when all but the last minutes are sent.
  const startSecond = Math.floor(Date.now() / 3_600_000) * 3600 - Math.max(1, minutes - 5) * 60
  const { snapshot, live } = recorded(cluster, startSecond)
  const bytes = live.reduce((sum, batches) => sum + bytesOf(batches), 0) / live.length
  console.log(
    `\n${cluster.nodes} nodes, ${cluster.nodes * cluster.podsPerNode} pods, ${cluster.workloads} workloads; ` +
      `snapshot ${mib(bytesOf(snapshot))} in ${snapshot.length} parts, a minute ${mib(bytes)}`,
  )
  const reporter = await addCluster(rig, `large-${size}`, startSecond)
  const filled = { nodes: cluster.nodes, workloads: cluster.workloads, namespaces: Math.ceil(200 * Math.sqrt(size)) }
  await fillDays(db, reporter.clusterId, filled, new Date(startSecond * 1000))

  const [shown] = await Promise.all([untilShown(rig, reporter), report(rig, reporter, snapshot)])
  line('from snapshot sent to cost shown', `${shown.toFixed(1)} s`, 'aim < 10 s')
  await untilFolded(db)

  const before = {
    cores: await server.coreSeconds(),
    wal: await walBytes(db),
    tables: await tableBytes(db, hourTables),
  }
  const watch = watchServer(server)
  const readers = readFigures(rig, reporter)
  const ingest = await reportAll(rig, reporter, live)
  const answers = await readers.stop()
  await untilFolded(db)
  const { rss, lag } = await watch.stop()
  const spent = await server.coreSecondsSince(before.cores)
  const perHour = 60 / minutes
  print('ingest answers', ingest, 'p99', 1000)
  line(
    'core-seconds per minute: server',
    (spent.server / minutes).toFixed(2),
    'aim < 18 with PostgreSQL, queries included',
  )
  line('core-seconds per minute: PostgreSQL', (spent.database / minutes).toFixed(2))
  line('WAL per hour', mib(((await walBytes(db)) - before.wal) * perHour))
  line('hour tables per hour', mib((await tableBytes(db, hourTables)) - before.tables))
  line('server memory, maximum', `${rss} MB`, 'aim < 1,074 MB')
  line('event loop lag, worst p99', `${(lag * 1000).toFixed(0)} ms`, 'aim < 50 ms')
  for (const [name, times, aimMs] of answers) print(name, times, 'p99', aimMs)
  line('recalculated on sync', `${(await syncSeconds(rig, reporter)).toFixed(1)} s`, 'aim < 5 s')
}

/** Every cluster of the fleet sends the same data under its own name. */
async function measureFleet(rig: Rig, count: number): Promise<void> {
  const { server, db } = rig
  const cluster = sized(0.01)
  const reported = 5
  const startSecond = Math.floor(Date.now() / 60_000) * 60 - reported * 60
  const { snapshot, live } = recorded(cluster, startSecond, reported)
  console.log(`\n${count} clusters of ${cluster.nodes} nodes and ${cluster.nodes * cluster.podsPerNode} pods`)
  const reporters: Reporter[] = []
  for (let index = 0; index < count; index += 1) reporters.push(await addCluster(rig, `small-${index}`, startSecond))
  await reportTogether(rig, reporters, snapshot)
  await untilFolded(db)

  const before = await server.coreSeconds()
  const watch = watchServer(server)
  const ingest: number[] = []
  const from = performance.now()
  for (const batches of live) ingest.push(...(await reportTogether(rig, reporters, batches)))
  await untilFolded(db)
  const seconds = (performance.now() - from) / 1000
  const { rss, lag } = await watch.stop()
  const spent = await server.coreSecondsSince(before)
  print('ingest answers', sorted(ingest), 'p99', 1000)
  line('core-seconds per minute: server', (spent.server / reported).toFixed(2))
  line('core-seconds per minute: PostgreSQL', (spent.database / reported).toFixed(2))
  line('seconds to send and fold one minute of all clusters', (seconds / reported).toFixed(1), 'aim < 60 s')
  line('server memory, maximum', `${rss} MB`, 'aim < 1,074 MB')
  line('event loop lag, worst p99', `${(lag * 1000).toFixed(0)} ms`, 'aim < 50 ms')
}

const sized = (size: number): LargeOptions => ({
  ...fullSize,
  nodes: Math.max(1, Math.round(fullSize.nodes * size)),
  workloads: Math.max(1, Math.round(fullSize.workloads * size)),
})

/** Generated before the measurement. */
function recorded(cluster: LargeOptions, startSecond: number, count = minutes) {
  const agent = new SimulatedAgent(openWorld(largeScenario(cluster), startSecond))
  return { snapshot: agent.snapshot(), live: Array.from({ length: count }, () => agent.minute()) }
}

const bytesOf = (batches: readonly EncodedBatch[]) => batches.reduce((sum, { body }) => sum + body.length, 0)

const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b)

function print(name: string, times: readonly number[], of: 'p99', aimMs: number): void {
  const at = (share: number) => `${percentile(times, share).toFixed(0)} ms`
  line(name, `p50 ${at(0.5)}, ${of} ${at(0.99)}`, `aim ${of} < ${aimMs} ms`)
}

async function makeKey({ base }: BenchServer): Promise<Record<string, string>> {
  const headers = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${base}/auth/login`, { method: 'POST', headers, body: JSON.stringify(admin) })
  const { token } = (await signedIn.json()) as { token: string }
  const made = await fetch(`${base}/api/v1/api-keys`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}` },
    body: JSON.stringify({ name: 'bench' }),
  })
  const { key } = (await made.json()) as { key: string }
  return { 'x-api-key': key }
}

/** Without HTTP, because a thousand requests would exceed the rate limit. */
async function addCluster({ server, db }: Rig, name: string, startSecond: number): Promise<Reporter> {
  const now = () => new Date(startSecond * 1000)
  const clusterId = newId('cls', new Date())
  await insertCluster(db, { clusterId, name, provider: 'aws', region: 'eu-west-1', now: now() })
  const secrets = await server.openSecrets(db)
  const { token } = await makeAgentToken({ now, secrets } as Deps, db, clusterId)
  return { clusterId, token }
}

/** Returns the acknowledgement time of each batch. */
async function report({ server }: Rig, reporter: Reporter, batches: readonly EncodedBatch[]): Promise<number[]> {
  const times: number[] = []
  for (const { headers, body } of batches) {
    const at = performance.now()
    const answer = await fetch(`${server.base}/api/v1/agent/metrics`, {
      method: 'POST',
      headers: {
        ...headers,
        'plimsoll-cluster-uid': reporter.clusterId,
        authorization: `Bearer ${reporter.token}`,
        'content-type': 'application/json',
      },
      body: body as Uint8Array<ArrayBuffer>,
    })
    if (answer.status !== 202) throw new Error(`a batch was answered with ${answer.status}: ${await answer.text()}`)
    await answer.arrayBuffer()
    times.push(performance.now() - at)
  }
  return times
}

async function reportAll(rig: Rig, reporter: Reporter, live: readonly EncodedBatch[][]): Promise<number[]> {
  const times: number[] = []
  for (const batches of live) {
    const next = performance.now() + cadenceMs
    await clearLimits(rig.db)
    times.push(...(await report(rig, reporter, batches)))
    await sleep(Math.max(0, next - performance.now()))
  }
  return sorted(times)
}

async function reportTogether(rig: Rig, reporters: readonly Reporter[], batches: readonly EncodedBatch[]) {
  const times: number[] = []
  const waiting = [...reporters]
  await clearLimits(rig.db)
  const one = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) times.push(...(await report(rig, next, batches)))
  }
  await Promise.all(Array.from({ length: 16 }, one))
  return times
}

async function untilShown({ server, key }: Rig, { clusterId }: Reporter): Promise<number> {
  const from = performance.now()
  for (;;) {
    const answer = await fetch(`${server.base}/api/v1/clusters/${clusterId}`, { headers: key })
    const { node_count: nodes, monthly_cost: cost } = (await answer.json()) as {
      node_count: number
      monthly_cost: number
    }
    if (nodes > 0 && cost > 0) return (performance.now() - from) / 1000
    await sleep(400)
  }
}

async function untilFolded(db: Db): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from ingest_batch where state = 'pending' limit 1`.execute(db)
    if (rows.length === 0) return
    await sleep(200)
  }
}

/** Peak values, sampled every five seconds. */
function watchServer(server: BenchServer): { stop: () => Promise<{ rss: number; lag: number }> } {
  const worst = { rss: 0, lag: 0 }
  const stopping = new AbortController()
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      worst.rss = Math.max(worst.rss, await server.rssMegabytes())
      worst.lag = Math.max(worst.lag, await server.gauge('nodejs_eventloop_lag_p99_seconds'))
      await sleep(5000, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  })()
  return {
    stop: async () => {
      stopping.abort()
      await watching
      return worst
    },
  }
}

type Answers = [name: string, sortedMs: number[], aimMs: number][]

/** One request per second, in turn. */
function readFigures({ server, key, db }: Rig, { clusterId }: Reporter): { stop: () => Promise<Answers> } {
  const questions: { name: string; url: string; aimMs: number; times: number[] }[] = [
    { name: 'summary, 30 days', url: `/clusters/${clusterId}/summary?window=30d`, aimMs: 20, times: [] },
    { name: 'idle costs, 30 days', url: `/idle-costs?cluster_id=${clusterId}&window=30d`, aimMs: 20, times: [] },
    { name: 'allocation by namespace, 7 days', url: `/allocation?cluster_id=${clusterId}`, aimMs: 200, times: [] },
    {
      name: 'allocation by namespace, 30 days',
      url: `/allocation?cluster_id=${clusterId}&window=30d`,
      aimMs: 1000,
      times: [],
    },
  ]
  let isOver = false
  const asking = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      const question = questions[turn % questions.length]
      if (turn % 60 === 0) await clearLimits(db)
      const at = performance.now()
      const answer = await fetch(`${server.base}/api/v1${question?.url}`, { headers: key })
      if (answer.status !== 200) throw new Error(`${question?.url} was answered with ${answer.status}`)
      await answer.arrayBuffer()
      question?.times.push(performance.now() - at)
      await sleep(Math.max(0, 1000 - (performance.now() - at)))
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await asking
      return questions.map(({ name, times, aimMs }) => [name, sorted(times), aimMs])
    },
  }
}

/** Waits until the server has processed all stored data. */
async function syncSeconds({ server, key }: Rig, { clusterId }: Reporter): Promise<number> {
  const from = performance.now()
  const response = await fetch(`${server.base}/api/v1/clusters/${clusterId}/sync`, { method: 'POST', headers: key })
  let job = (await response.json()) as Job
  while (job.stage === 'queued' || job.stage === 'recalculating') {
    await sleep(100)
    const answer = await fetch(`${server.base}/api/v1/jobs/${job.id}`, { headers: key })
    job = (await answer.json()) as Job
  }
  return (performance.now() - from) / 1000
}

for (const size of values.sizes.split(',').map(Number)) await onServer((rig) => measureCluster(rig, size))
if (Number(values.fleet) > 0) await onServer((rig) => measureFleet(rig, Number(values.fleet)))
