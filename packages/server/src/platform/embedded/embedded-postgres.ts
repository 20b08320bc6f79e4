import type pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { claimServer, type Server } from './claim-server.ts'
import { explainFileError, openDataDir, type DataDir } from './data-dir.ts'
import { findInstallation } from './installation.ts'
import { initialiseCluster } from './initialise-cluster.ts'
import type { Log } from './log.ts'
import { loadPassword, loadSecretKey } from './password.ts'
import { serverSettings } from './server-settings.ts'
import { supervise } from './supervise.ts'
import { removeLeftovers } from './unfinished.ts'

export type EmbeddedPostgres = {
  /** Stays valid when the server is restarted: the port stays the same. */
  url: string
  /** A leftover server of a killed process was found and adopted. */
  adopted: boolean
  /** The key file next to the database that encrypts the secrets of the service. */
  secretKey: string
  stop: () => Promise<void>
}

export type EmbeddedPostgresOptions = {
  dataDir: string
  log: Log
  /** A PostgreSQL installation with a `bin` directory, used instead of the one from npm. */
  installDir?: string
  /** PostgreSQL settings in addition to ours. */
  settings?: Record<string, string>
  database?: string
}

/** A real PostgreSQL for one Plimsoll, stored below `dataDir` and reachable from this machine only. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = await openDataDir(options.dataDir)
  try {
    return await startOn(dataDir, options)
  } catch (error) {
    throw explainFileError(dataDir.path, error)
  }
}

async function startOn(dataDir: DataDir, options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, database = 'plimsoll' } = options
  const server = await prepareServer(dataDir, options)
  const claim = await claimServer(server)
  if (claim.kind === 'taken') throw alreadyRunning(dataDir.path, claim.holder)

  const { stop } = supervise(server, claim)
  try {
    await createDatabase(claim.session.client, database)
  } catch (error) {
    await stop()
    throw error
  }
  const { adopted, postmaster } = claim
  if (!adopted) await removeLeftovers(dataDir, server.installation.postgres)

  log.info(
    { dataDir: dataDir.path, adopted, port: postmaster.port, pid: postmaster.pid },
    'embedded PostgreSQL is ready',
  )
  const url = databaseUrl(postmaster.port, server.password, database)
  return { url, adopted, secretKey: await loadSecretKey(dataDir), stop }
}

async function prepareServer(dataDir: DataDir, options: EmbeddedPostgresOptions): Promise<Server> {
  const installation = await findInstallation(dataDir, options.installDir)
  const password = await loadPassword(dataDir)
  const settings = { ...(await serverSettings()), ...options.settings }
  await initialiseCluster(dataDir, installation, { durable: settings.fsync !== 'off' })
  return { dataDir, installation, password, settings, log: options.log }
}

function alreadyRunning(path: string, holder: number) {
  return new StartupError(
    `Another Plimsoll process (${holder}) uses ${path}. Stop that process or set PLIMSOLL_DATA_DIR.`,
  )
}

async function createDatabase(client: pg.Client, name: string) {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
  if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
}

function databaseUrl(port: number, password: string, database: string) {
  return `postgres://plimsoll:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
}
