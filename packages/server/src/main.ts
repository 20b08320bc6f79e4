import { fileURLToPath } from 'node:url'
import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'
import { readConfig, type Config } from './config.ts'
import { defaultDataDir } from './db/embedded/data-dir.ts'
import { startEmbeddedPostgres } from './db/embedded/embedded-postgres.ts'
import type { FirstAdmin } from './first-admin.ts'
import { startService } from './service.ts'
import { StartupError } from './startup-error.ts'

const projectDir = fileURLToPath(new URL('../../../', import.meta.url))
const shutdownMsMax = 30_000

async function main(): Promise<void> {
  const config = readConfig(process.env)
  const log = pino({ level: config.logLevel, base: null }, pino.destination({ dest: 2, sync: true }))
  const database = await openDatabase(config, log)
  const service = await startService({ ...config, databaseUrl: database.url }, log, () => new Date()).catch(
    async (error: unknown) => {
      await database.stop()
      throw error
    },
  )
  const stop = async () => {
    await service.stop()
    await database.stop()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void shutDown(log, stop))
  console.log(startBlock(config, service.firstAdmin, database.where))
}

type Database = { url: string; where: string; stop: () => Promise<void> }

async function openDatabase({ databaseUrl, dataDir }: Config, log: FastifyBaseLogger): Promise<Database> {
  if (databaseUrl !== undefined) {
    const { host, pathname } = new URL(databaseUrl)
    return { url: databaseUrl, where: `PostgreSQL at ${host}${pathname}`, stop: async () => undefined }
  }
  const directory = dataDir ?? (await defaultDataDir(projectDir))
  const { url, stop } = await startEmbeddedPostgres({ dataDir: directory, log })
  return { url, where: `${directory} (embedded PostgreSQL)`, stop }
}

function startBlock({ publicUrl, role }: Config, firstAdmin: FirstAdmin, where: string): string {
  return [
    '',
    role === 'worker' ? '  Plimsoll is doing background work' : `  Plimsoll is running at ${publicUrl}`,
    '',
    `  ${adminLine(firstAdmin)}`,
    `  API docs  ${publicUrl}/docs`,
    `  Data      ${where}`,
    '',
  ].join('\n')
}

function adminLine(firstAdmin: FirstAdmin): string {
  if (firstAdmin.kind === 'link') return `Set up    ${firstAdmin.link}  (works once, for 3 days)`
  return firstAdmin.kind === 'created' ? `Admin     ${firstAdmin.email} was created` : 'Admin     sign in as before'
}

/** A second signal, or work that does not end, must not keep the process for ever. */
async function shutDown(log: FastifyBaseLogger, stop: () => Promise<void>): Promise<void> {
  log.info('shutting down')
  const giveUp = () => process.exit(1)
  setTimeout(giveUp, shutdownMsMax).unref()
  await stop()
  process.exit(0)
}

main().catch((error: unknown) => {
  console.error(error instanceof StartupError ? error.message : error)
  process.exit(1)
})
