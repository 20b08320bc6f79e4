import type { FastifyBaseLogger } from 'fastify'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { Tables } from './tables.ts'

export type Db = Kysely<Tables>

const versionMin = 15

/** A pool that never waits for ever: a database that is away is answered with 503, not with a hanging request. */
export function openPool(url: string, { connectionsMax }: { connectionsMax: number }, log: FastifyBaseLogger): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: 30_000,
    application_name: 'plimsoll',
  })
  // An idle connection that the server drops is replaced by the next one; unheard, the event would end the process.
  const note = (error: Error) => log.warn({ err: error }, 'a database connection was lost')
  pool.on('error', note)
  pool.on('connect', (client) => client.on('error', note))
  return pool
}

export function openDatabase(pool: pg.Pool): Db {
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Fails with one sentence for the person who starts the service. */
export async function demandUsableDatabase(db: Db, url: string): Promise<void> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`
    .execute(db)
    .catch((error: unknown) => {
      throw new StartupError(
        `The database at ${withoutPassword(url)} cannot be used (${reason(error)}); check DATABASE_URL.`,
      )
    })
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major < versionMin) {
    throw new StartupError(`PostgreSQL ${major} is too old: point DATABASE_URL at PostgreSQL ${versionMin} or newer.`)
  }
}

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
