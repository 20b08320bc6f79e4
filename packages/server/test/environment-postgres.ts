import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase, openPool } from '../src/platform/db/database.ts'
import { startEmbeddedPostgres } from '../src/platform/embedded/embedded-postgres.ts'
import { migrate } from '../src/platform/db/migrate.ts'
import { writeBuiltInRoles } from '../src/platform/auth/queries/roles.ts'
import { prepareJobs } from '../src/job-handlers.ts'
import { migrationsDirectory } from '../src/directories.ts'

/** One real PostgreSQL for the whole run, with a migrated template that each test file copies. */
export async function startPostgres(): Promise<{ url: string; socketUrl: string; stop: () => Promise<void> }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plimsoll-test-'))
  const sockets = await mkdtemp(join(tmpdir(), 'plimsoll-sockets-'))
  // PostgreSQL runs as another user when the tests run as root.
  await chmod(sockets, 0o777)
  const installDir = process.env.PLIMSOLL_TEST_POSTGRES
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: pino({ level: 'silent' }),
    ...(installDir === undefined ? {} : { installDir }),
    // Tests crash nothing here; tests that do start their own server.
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' },
      unix_socket_directories: sockets,
    },
    database: 'template_plimsoll',
  })
  const stop = async () => {
    await postgres.stop()
    for (const directory of [dataDir, sockets]) await rm(directory, { recursive: true, force: true })
  }
  await makeTemplate(postgres.url).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  // A message over TCP takes twice the CPU time of a message over a socket.
  const socketUrl = postgres.url.replace('127.0.0.1', encodeURIComponent(sockets))
  return { url: postgres.url, socketUrl, stop }
}

async function makeTemplate(url: string): Promise<void> {
  const pool = openPool(url, { connectionsMax: 2 }, pino({ level: 'silent' }))
  const db = openDatabase(pool)
  await migrate(db, migrationsDirectory)
  await prepareJobs(pool)
  await writeBuiltInRoles(db, new Date('2026-01-01T00:00:00Z'))
  await pool.end()
}
