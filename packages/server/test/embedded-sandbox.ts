import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, vi } from 'vitest'
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from '../src/platform/embedded/embedded-postgres.ts'
import { findPostmaster, killPostmaster } from '../src/platform/embedded/postmaster.ts'
import { patience } from './patience.ts'

export const isRoot = process.getuid?.() === 0

const writer = fileURLToPath(new URL('fixtures/embedded-writer.ts', import.meta.url))

let cleanups: (() => unknown)[] | undefined

function afterTests(cleanup: () => unknown): void {
  if (!cleanups) throw new Error('call useSandbox() in the test file')
  cleanups.push(cleanup)
}

/**
 * Cleans up at the end of the file, because tests that mostly wait run concurrently. The newest resource is removed
 * first.
 */
export function useSandbox(): void {
  beforeAll(() => {
    cleanups = []
    template = undefined
  })
  afterAll(async () => {
    for (const cleanup of cleanups?.reverse() ?? []) await cleanup()
    cleanups = undefined
  })
}

export function aLog() {
  return { info: vi.fn(), warn: vi.fn(), error: vi.fn() }
}

/** A path that does not exist yet. At the end, processes that use it are killed and its content is removed. */
export async function aDataDir(): Promise<string> {
  const parent = await aTemporaryDirectory()
  const dataDir = join(parent, 'data')
  afterTests(() => endServerOf(dataDir))
  return dataDir
}

let template: Promise<string> | undefined

/** With an empty database, which is faster to copy than to create. */
export async function aDataDirWithCluster(): Promise<string> {
  template ??= makeTemplate()
  const dataDir = await aDataDir()
  copyDirectory(await template, dataDir)
  return dataDir
}

async function makeTemplate() {
  const dataDir = await aDataDir()
  const { stop } = await startEmbeddedPostgres({ dataDir, log: aLog(), settings: { fsync: 'off' } })
  await stop()
  return dataDir
}

/** Accessible to all users, because the server runs as another user when the tests run as root. */
export async function aTemporaryDirectory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plimsoll-'))
  await chmod(path, 0o755)
  afterTests(() => rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }))
  return path
}

async function endServerOf(dataDir: string) {
  const postmaster = await findPostmaster(join(dataDir, 'postgres'))
  if (postmaster) await killPostmaster(postmaster)
}

export async function postmasterPid(dataDir: string): Promise<number> {
  const postmaster = await findPostmaster(join(dataDir, 'postgres'))
  if (!postmaster) throw new Error(`no server runs on ${dataDir}`)
  return postmaster.pid
}

export async function start(dataDir: string, options: Partial<EmbeddedPostgresOptions> = {}) {
  const settings = { fsync: 'off', ...options.settings }
  const database = await startEmbeddedPostgres({ log: aLog(), ...options, dataDir, settings })
  afterTests(() => database.stop())
  return database
}

export async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url)
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<Record<string, unknown>>(text)
    return rows
  } finally {
    await client.end()
  }
}

export type Writer = { child: ChildProcess; acknowledged: () => number; ended: Promise<unknown> }

/** The process as the operating system sees it, so that a test can kill it. */
export function startWriter(dataDir: string): Writer {
  const child = spawn(process.execPath, ['--import', 'tsx', writer, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let acknowledged = 0
  createInterface({ input: child.stdout }).on('line', (line) => (acknowledged = Number(line)))
  afterTests(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return { child, acknowledged: () => acknowledged, ended }
}

export async function writerWithRows(dataDir: string, rows: number): Promise<Writer> {
  const started = startWriter(dataDir)
  await vi.waitUntil(() => started.acknowledged() >= rows, { ...patience, interval: 10 })
  return started
}

/** One more row than acknowledged may exist: its commit was in progress. */
export async function countRows(url: string): Promise<number> {
  const [row] = (await query(url, 'select count(*)::int as count, max(id) as last from written')) as [
    { count: number; last: number },
  ]
  if (row.count !== row.last) throw new Error(`rows are missing: ${row.count} of ${row.last}`)
  return row.count
}

/** `cp -a` keeps owners and modes, which the server requires. */
export function copyDirectory(from: string, to: string) {
  execFileSync('cp', ['-a', from, to])
}
