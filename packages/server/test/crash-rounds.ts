import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { pino } from 'pino'
import {
  fullSize,
  largeScenario,
  openWorld,
  Random,
  SimulatedAgent,
  type EncodedBatch,
} from '../../simulator/src/index.ts'
import { makeAgentToken } from '../src/platform/auth/make-agent-token.ts'
import { Secrets } from '../src/platform/auth/secrets.ts'
import { insertCluster } from '../src/clusters/queries/clusters.ts'
import { openDatabase, openPool, type Db } from '../src/platform/db/database.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'
import { findPostmaster } from '../src/platform/embedded/postmaster.ts'
import type { Deps } from '../src/platform/deps.ts'
import { newId } from '../src/platform/ids.ts'
import { fold } from '../src/ingest/jobs/fold.ts'
import { PriceBooks } from '../src/prices/price-books.ts'
import { bundleFixtures } from './bundle-fixtures.ts'
import type { CrashServerMessage } from './fixtures/crash-server.ts'
import { freePort } from '../../../test/free-port.ts'
import { hourTables } from './stored-fingerprint.ts'

const wholeHour = 500_000 * 3600

const silent = pino({ level: 'silent' })
const serverDir = fileURLToPath(new URL('..', import.meta.url))

export type CrashOptions = {
  seed: number
  rounds: number
  /** Minutes that each cluster reports. The default is two hours and ten minutes. */
  minutes?: number
  /** The minute of an hour at which the clusters begin to report. */
  startMinute?: number
  /** What the first rounds kill. The seed decides for the others. */
  firstKills?: readonly CrashKind[]
  onRound?: (round: number, kind: CrashKind) => void
}

export type CrashKind = 'server' | 'backend' | 'postmaster'

export type CrashReport = {
  kills: Record<CrashKind, number>
  /** Of each pair of clusters: the rows of the one reported through all crashes, and of the one without crashes. */
  pairs: { crashed: unknown[]; calm: unknown[] }[]
}

/**
 * A service on a separate database, and an agent that reports to it, sometimes twice, while one or the other is killed
 * with SIGKILL at seeded statements. Then the same batches are sent to another cluster without crashes.
 */
export async function runCrashRounds(options: CrashOptions): Promise<CrashReport> {
  const directory = await mkdtemp(join(tmpdir(), 'plimsoll-crash-'))
  await chmod(directory, 0o755)
  const bundle = await mkdtemp(join(serverDir, '.crash-'))
  const settings = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'on' }
  const postgres = await startEmbeddedPostgres({ dataDir: join(directory, 'data'), log: silent, settings })
  const pool = openPool(postgres.url, { connectionsMax: 3 }, silent)
  const rig = new Rig(openDatabase(pool), {
    url: postgres.url,
    bundle,
    dataDir: join(directory, 'data', 'postgres'),
    options,
  })
  try {
    await bundleFixtures(bundle, { 'crash-server': 'crash-server.ts', 'fold-worker': 'crash-fold-worker.ts' })
    return await rig.run()
  } finally {
    await rig.end()
    await pool.end()
    await postgres.stop()
    await rm(bundle, { recursive: true, force: true })
    await rm(directory, { recursive: true, force: true })
  }
}

type TestedCluster = { clusterId: string; token: string }

class Rig {
  readonly #db: Db
  readonly #url: string
  readonly #bundle: string
  readonly #dataDir: string
  readonly #options: CrashOptions
  readonly #startSecond: number
  readonly #minutes: number
  readonly #random: Random
  readonly #kills: Record<CrashKind, number> = { server: 0, backend: 0, postmaster: 0 }
  #server: { child: ChildProcess; port: number } | undefined
  #isStruck = true
  #now: number

  constructor(
    db: Db,
    { url, bundle, dataDir, options }: { url: string; bundle: string; dataDir: string; options: CrashOptions },
  ) {
    this.#db = db
    this.#url = url
    this.#bundle = bundle
    this.#dataDir = dataDir
    this.#options = options
    this.#startSecond = wholeHour + (options.startMinute ?? 0) * 60
    this.#now = this.#startSecond
    this.#minutes = options.minutes ?? 130
    this.#random = new Random(options.seed)
  }

  async run(): Promise<CrashReport> {
    const pairs: CrashReport['pairs'] = []
    while (this.#rounds < this.#options.rounds) {
      const batches = this.#batchesOf(this.#options.seed + pairs.length)
      const crashed = await this.#report(batches, { isCalm: false })
      const calm = await this.#report(batches, { isCalm: true })
      pairs.push({ crashed, calm })
    }
    return { kills: this.#kills, pairs }
  }

  async end(): Promise<void> {
    this.#server?.child.kill('SIGKILL')
  }

  get #rounds(): number {
    return Object.values(this.#kills).reduce((sum, each) => sum + each, 0)
  }

  /** Two nodes, a dozen pods, and some short-lived ones. */
  #batchesOf(seed: number): EncodedBatch[] {
    const scenario = largeScenario({ ...fullSize, nodes: 2, podsPerNode: 6, workloads: 6, churnPerHour: 0.5, seed })
    const agent = new SimulatedAgent(openWorld(scenario, this.#startSecond))
    return [agent.snapshot(), ...Array.from({ length: this.#minutes }, () => agent.minute())].flat()
  }

  /** Sends all batches of a cluster, and returns its stored rows. */
  async #report(batches: readonly EncodedBatch[], { isCalm }: { isCalm: boolean }): Promise<unknown[]> {
    await this.#startServer()
    const cluster = await this.#persist(() => this.#addCluster())
    this.#isStruck = true
    for (const [index, batch] of batches.entries()) {
      this.#now = this.#startSecond + Math.min(this.#minutes, index) * 60
      if (!isCalm) await this.#threaten()
      await this.#send(cluster, batch)
      if (!isCalm) await this.#folded(cluster)
      const again = batches[this.#random.between(0, index)]
      if (!isCalm && again && this.#random.next() < 0.3) await this.#send(cluster, again)
    }
    await this.#foldAll(cluster)
    return this.#persist(() => storedRows(this.#db, cluster.clusterId))
  }

  /**
   * Waits until the batches are folded, a strike hits, or a timeout ends. Otherwise the agent would finish before the
   * service is back.
   */
  async #folded({ clusterId }: TestedCluster): Promise<void> {
    for (let attempt = 0; attempt < 100 && !this.#isStruck; attempt += 1) {
      const pending = await sql<{ count: number }>`
        select count(*)::int as count from ingest_batch where cluster_id = ${clusterId} and state = 'pending'`
        .execute(this.#db)
        .then(
          ({ rows }) => rows[0]?.count,
          () => undefined,
        )
      if (pending === 0) return
      await sleep(20)
    }
  }

  /** Sets the next strike, once the last has hit. */
  async #threaten(): Promise<void> {
    if (!this.#isStruck || this.#rounds >= this.#options.rounds) return
    this.#isStruck = false
    const kind = this.#options.firstKills?.[this.#rounds] ?? kindOf(this.#random.next())
    this.#options.onRound?.(this.#rounds + 1, kind)
    if (kind === 'postmaster') return this.#killPostmaster()
    await this.#startServer()
    const thread = this.#random.next() < 0.7 ? 'fold' : 'main'
    const statements = this.#random.between(0, thread === 'fold' ? 24 : 12)
    this.#sendMessage({ strike: { thread, victim: kind, statements, isAfter: this.#random.next() < 0.5 } })
  }

  async #killPostmaster(): Promise<void> {
    const postmaster = await findPostmaster(this.#dataDir)
    if (postmaster) process.kill(postmaster.pid, 'SIGKILL')
    this.#hit('postmaster')
  }

  #hit(kind: CrashKind): void {
    if (this.#isStruck) return
    this.#isStruck = true
    this.#kills[kind] += 1
  }

  /** Like an agent: retries until the batch is acknowledged. */
  async #send({ clusterId, token }: TestedCluster, { headers, body }: EncodedBatch): Promise<void> {
    for (;;) {
      const server = await this.#startServer()
      this.#sendMessage({ now: this.#now })
      const status = await fetch(`http://127.0.0.1:${server.port}/api/v1/agent/metrics`, {
        method: 'POST',
        headers: {
          ...headers,
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          // The same batches are sent for several clusters, and each has its own uid.
          'plimsoll-cluster-uid': clusterId,
        },
        body: body as Uint8Array<ArrayBuffer>,
      }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      if (status === 202) return
      if (status !== 0 && status < 500) throw new Error(`the batch was answered with ${status}`)
      await sleep(20)
    }
  }

  async #startServer(): Promise<{ child: ChildProcess; port: number }> {
    while (!this.#server) {
      const port = await freePort()
      const child = fork(join(this.#bundle, 'crash-server.js'), {
        execArgv: [],
        stdio: 'ignore',
        env: { PATH: process.env.PATH, DATABASE_URL: this.#url, PORT: String(port), CRASH_NOW: String(this.#now) },
      })
      const server = { child, port }
      child.on('message', (word) => word === 'struck' && this.#hit('backend'))
      child.once('exit', (_code, signal) => {
        if (this.#server === server) this.#server = undefined
        if (signal === 'SIGKILL') this.#hit('server')
      })
      const [word] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as unknown[]
      if (word === 'ready') this.#server = server
      else await sleep(100)
    }
    return this.#server
  }

  #sendMessage(message: CrashServerMessage): void {
    // It may have been killed meanwhile.
    this.#server?.child.send(message, () => undefined)
  }

  async #addCluster(): Promise<TestedCluster> {
    const now = () => new Date(this.#startSecond * 1000)
    const clusterId = newId('cls', now())
    const secrets = await Secrets.open({ db: this.#db, now })
    await insertCluster(this.#db, { clusterId, name: clusterId, provider: 'aws', region: 'eu-west-1', now: now() })
    const { token } = await makeAgentToken({ now, secrets } as Deps, this.#db, clusterId)
    return { clusterId, token }
  }

  async #foldAll({ clusterId }: TestedCluster): Promise<void> {
    this.#now = this.#startSecond + this.#minutes * 60 + 3600
    const now = () => new Date(this.#now * 1000)
    const deps = { db: this.#db, log: silent, now, prices: new PriceBooks() }
    await this.#persist(async () => {
      await fold(deps, { clusterId })
      const { rows } = await sql<{ open: number }>`
        select count(*)::int as open from ingest_batch
        where cluster_id = ${clusterId} and (state = 'pending' or unsaved)`.execute(this.#db)
      if (rows[0]?.open !== 0) throw new Error('somebody else is folding')
    })
  }

  /** The database may be restarting. */
  async #persist<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await work()
      } catch (error) {
        if (attempt === 200) throw error
        await sleep(50)
      }
    }
  }
}

const kindOf = (chance: number): CrashKind => (chance < 0.36 ? 'server' : chance < 0.97 ? 'backend' : 'postmaster')

/** Every integer. The number and order of writes of an hour may differ. */
async function storedRows(db: Db, clusterId: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for (const table of hourTables) {
    const found = await sql<{ row: unknown }>`
      select to_jsonb(h) - 'cluster_id' || jsonb_build_object('table', ${table}::text) as row
      from ${sql.table(table)} h where cluster_id = ${clusterId}
      order by (to_jsonb(h) - 'cluster_id')::text`.execute(db)
    rows.push(...found.rows.map(({ row }) => row))
  }
  if (rows.length === 0) throw new Error('nothing is stored')
  return rows
}
