import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { Secrets } from '../../packages/server/src/platform/auth/secrets.ts'
import { openDatabase, openPool, type Db } from '../../packages/server/src/platform/db/database.ts'
import { coreSecondsOfTree } from './usage.ts'

export const admin = { email: 'bench@example.com', password: 'correct horse battery' }

export type CoreSeconds = { server: number; database: number }

/** The service as `npm start` starts it, on an empty directory, with its embedded database. */
export class BenchServer {
  readonly base: string
  readonly dataDir: string
  readonly readySeconds: number
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, base: string, dataDir: string, readySeconds: number) {
    this.#child = child
    this.base = base
    this.dataDir = dataDir
    this.readySeconds = readySeconds
  }

  static async start(): Promise<BenchServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'plimsoll-bench-'))
    const port = await freePort()
    const base = `http://127.0.0.1:${port}`
    const startedAt = performance.now()
    const env = {
      ...process.env,
      PORT: String(port),
      PLIMSOLL_DATA_DIR: dataDir,
      PLIMSOLL_ADMIN_EMAIL: admin.email,
      PLIMSOLL_ADMIN_PASSWORD: admin.password,
      PLIMSOLL_LOG_LEVEL: 'warn',
    }
    const child = spawn('npm', ['start', '--silent'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    await ready(base, child)
    return new BenchServer(child, base, dataDir, (performance.now() - startedAt) / 1000)
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGTERM')
    await new Promise((resolve) => this.#child.once('exit', resolve))
    await rm(this.dataDir, { recursive: true, force: true })
  }

  /** Direct access to the database, for work that would take too long by requests. */
  async openDatabase(): Promise<{ db: Db; close: () => Promise<void> }> {
    const secret = (await readFile(join(this.dataDir, 'postgres-password'), 'utf8')).trim()
    const [, , , port] = await this.#postmasterLines()
    const url = `postgres://plimsoll:${secret}@127.0.0.1:${port}/plimsoll`
    const pool = openPool(url, { connectionsMax: 2 }, pino({ level: 'silent' }))
    return { db: openDatabase(pool), close: () => pool.end() }
  }

  async openSecrets(db: Db): Promise<Secrets> {
    const passphrase = (await readFile(join(this.dataDir, 'secret-key'), 'utf8')).trim()
    return Secrets.open({ db, now: () => new Date(), passphrases: [passphrase] })
  }

  async gauge(name: string): Promise<number> {
    const text = await (await fetch(`${this.base}/metrics`)).text()
    return Number(new RegExp(`^plimsoll_${name} (\\S+)`, 'm').exec(text)?.[1])
  }

  async rssMegabytes(): Promise<number> {
    return Math.round((await this.gauge('process_resident_memory_bytes')) / 1e6)
  }

  async coreSeconds(): Promise<CoreSeconds> {
    const [postmaster] = await this.#postmasterLines()
    const server = await this.gauge('process_cpu_seconds_total')
    return { server, database: coreSecondsOfTree(Number(postmaster)) }
  }

  async coreSecondsSince(before: CoreSeconds): Promise<CoreSeconds> {
    const { server, database } = await this.coreSeconds()
    return { server: server - before.server, database: database - before.database }
  }

  async #postmasterLines(): Promise<string[]> {
    return (await readFile(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')
  }
}

/** Resets all rate limits, because a benchmark exceeds them. */
export async function clearLimits(db: Db): Promise<void> {
  await db.deleteFrom('rate_limit').execute()
}

/** The percentile of sorted values. */
export const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

async function ready(base: string, child: ChildProcess): Promise<void> {
  for (;;) {
    const answer = await fetch(`${base}/readyz`).catch(() => undefined)
    if (answer?.status === 200) return
    if (child.exitCode !== null) throw new Error('the server ended')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
