import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import type { FastifyBaseLogger } from 'fastify'
import { readConfig, type Config } from './platform/config.ts'
import { defaultDataDir } from './platform/embedded/data-dir.ts'
import { startEmbeddedPostgres } from './platform/embedded/embedded-postgres.ts'
import type { FirstAdmin } from './people/first-admin.ts'
import { makeLog } from './platform/log.ts'
import { ServiceThread, type ServiceEnd } from './service-thread.ts'
import { StartupError } from './platform/startup-error.ts'

const projectDir = fileURLToPath(new URL('../../../', import.meta.url))

/** Longer than the last request and the database may take to end: an earlier exit would leave PostgreSQL running. */
const shutdownMsMax = 100_000

/**
 * How far the heap may grow before the next collection, in percent of the live data. The default allows several times
 * that, which a long-running service would never return. `npm start` limits the young generation as well.
 */
const heapGrowingPercent = 50

async function main(): Promise<void> {
  setFlagsFromString(`--heap-growing-percent=${heapGrowingPercent}`)
  const config = readConfig(process.env)
  const log = makeLog(config.logLevel)
  const starting = start(config, log)
  stopOnSignals(log, starting)
  const { firstAdmin, where, ended } = await starting
  console.log(startBlock(config, firstAdmin, where))
  if (config.databaseUrl !== undefined && config.secretKey === undefined) log.warn(unsealedWarning)
  exitWith(await ended, log)
}

type Running = {
  firstAdmin: FirstAdmin
  where: string
  stop: () => void
  /** After everything is closed. */
  ended: Promise<ServiceEnd>
}

/** The database belongs to this thread: it is stopped cleanly even when the service thread is blocked or fails. */
async function start(config: Config, log: FastifyBaseLogger): Promise<Running> {
  const { where, stop: stopDatabase, ...database } = await openDatabase(config, log)
  const thread = new ServiceThread({ config: { ...config, ...database }, log })
  const ended = thread.ended.finally(stopDatabase)
  try {
    return { firstAdmin: await thread.started, where, stop: () => thread.stop(), ended }
  } catch (error) {
    await ended
    throw error
  }
}

/**
 * One stop for any number of signals: a terminal signals the whole group and npm forwards the signal again. A signal
 * during the start waits for the opening resources, so that all of them are closed.
 */
function stopOnSignals(log: FastifyBaseLogger, starting: Promise<Running>): void {
  let isStopping = false
  const stop = async () => {
    if (isStopping) return
    isStopping = true
    log.info('shutting down')
    setTimeout(() => process.exit(1), shutdownMsMax).unref()
    const running = await starting.catch(() => undefined)
    running?.stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
}

function exitWith(end: ServiceEnd, log: FastifyBaseLogger): void {
  if (end.kind === 'failed') log.fatal({ err: end.error }, 'the service failed')
  // A normal exit would wait for the thread.
  if (end.kind === 'blocked' && !end.isTerminated) process.kill(process.pid, 'SIGKILL')
  process.exit(end.kind === 'stopped' ? 0 : 1)
}

type Database = {
  databaseUrl: string
  secretKeys: string[]
  where: string
  embeddedDataDir?: string
  stop: () => Promise<void>
}

/** With the keys for the secrets of the service: the current one first, then an earlier one. */
async function openDatabase(config: Config, log: FastifyBaseLogger): Promise<Database> {
  const { databaseUrl, dataDir, demo, secretKey } = config
  const ownKey = secretKey === undefined ? [] : [secretKey]
  if (databaseUrl !== undefined) {
    const { host, pathname } = new URL(databaseUrl)
    const where = `PostgreSQL at ${host}${pathname}`
    return { databaseUrl, secretKeys: ownKey, where, stop: async () => undefined }
  }
  const directory = dataDir ?? (await defaultDataDir(projectDir, demo ? 'plimsoll-demo' : 'plimsoll'))
  const embedded = await startEmbeddedPostgres({ dataDir: directory, log })
  return {
    databaseUrl: embedded.url,
    secretKeys: [...ownKey, embedded.secretKey],
    where: `${directory} (embedded PostgreSQL)`,
    embeddedDataDir: directory,
    stop: embedded.stop,
  }
}

const unsealedWarning = 'PLIMSOLL_SECRET_KEY is not set, so secrets are stored unencrypted in the database'

function startBlock({ publicUrl, role }: Config, firstAdmin: FirstAdmin, where: string): string {
  return [
    '',
    role === 'worker' ? '  Plimsoll worker is running' : `  Plimsoll is running at ${publicUrl}`,
    '',
    `  ${adminLine(firstAdmin)}`,
    ...(role === 'worker' ? [] : [`  API docs  ${publicUrl}/docs`]),
    `  Data      ${where}`,
    '',
  ].join('\n')
}

function adminLine(firstAdmin: FirstAdmin): string {
  if (firstAdmin.kind === 'link') return `Set up    ${firstAdmin.link}  (works once, for 3 days)`
  return firstAdmin.kind === 'created'
    ? `Admin     ${firstAdmin.email} was created`
    : 'Admin     existing users can sign in'
}

main().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
})
