import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import { PreparingClient } from './preparing-client.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

const versionMin = 15

/** For background work: an overloaded machine must not count as an unavailable database. */
export const backgroundConnectMsMax = 30_000

/** A pool with a limited wait: an unavailable database gives 503, not a hanging request. */
export function openPool(
  url: string,
  { connectionsMax, connectMsMax = 5_000 }: { connectionsMax: number; connectMsMax?: number },
  log: FastifyBaseLogger,
): pg.Pool {
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: connectMsMax,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    application_name: 'plimsoll',
  })
  // The pool replaces a dropped idle connection; without a listener the event would end the process.
  const note = (error: Error) => {
    if (!pool.ending) log.warn({ err: error }, 'a database connection was lost')
  }
  pool.on('error', note)
  pool.on('connect', (client) => client.on('error', note))
  return pool
}

export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Sums of many workloads fit into memory: by default PostgreSQL would sort them on disk. */
export async function allowLargeGroups(tx: Db): Promise<void> {
  await sql`set local work_mem = '64MB'`.execute(tx)
}

/** Fails with one sentence for the operator. */
export async function demandUsableDatabase(db: Db, url: string): Promise<void> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::integer as version`
    .execute(db)
    .catch((error: unknown) => {
      throw unusable(url, error)
    })
  demandVersion(rows[0]?.version ?? 0)
}

/** `serverVersionNum` in the format of PostgreSQL: 150004 is 15.4. */
export function demandVersion(serverVersionNum: number): void {
  const major = Math.floor(serverVersionNum / 10_000)
  if (major < versionMin) {
    throw new StartupError(`PostgreSQL ${major} is too old. Set DATABASE_URL to PostgreSQL ${versionMin} or newer.`)
  }
}

const refusals = new Set(['42501', '25006'])

/** A user without permissions, or a read-only copy, gives a sentence; any other error is a bug and is rethrown. */
export function explainRefusal(url: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || !refusals.has(code)) return error
  return new StartupError(
    `The database at ${withoutPassword(url)} cannot be initialized (${reason(error)}). ` +
      'Allow its user to create schemas and tables.',
    { cause: error },
  )
}

const unusable = (url: string, error: unknown) =>
  new StartupError(`The database at ${withoutPassword(url)} cannot be used (${reason(error)}). Check DATABASE_URL.`)

function withoutPassword(url: string): string {
  try {
    const { host, pathname } = new URL(url)
    return `${host}${pathname}`
  } catch {
    return 'the given address'
  }
}

/** Node reports a refused connection to several addresses as an AggregateError whose own message is empty. */
function reason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reason).join(', ')
  return error instanceof Error ? error.message : String(error)
}
