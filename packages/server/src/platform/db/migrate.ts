import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { StartupError } from '../startup-error.ts'
import type { Db } from './database.ts'
import { distributeTables } from './citus.ts'

/** An arbitrary number that no other user of the database is likely to lock. */
const migrationLock = 7_466_213_001

type Migration = { version: number; name: string; path: URL }

/**
 * Migrates the schema. Replicas may start concurrently: the first one migrates, the others wait. Forward only; each
 * file is one transaction.
 */
export async function migrate(db: Db, directory: URL): Promise<void> {
  const migrations = await listMigrations(directory)
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`select pg_advisory_lock(${migrationLock})`.execute(connection)
    try {
      await applyMissing(connection, migrations)
      await distributeTables(connection)
    } finally {
      await sql`select pg_advisory_unlock(${migrationLock})`.execute(connection)
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function applyMissing(db: Db, migrations: Migration[]): Promise<void> {
  await sql`create table if not exists schema_migration (version integer primary key, name text not null, applied_at timestamptz not null default now())`.execute(
    db,
  )
  await sql`comment on table schema_migration is 'local: which migrations this database has seen'`.execute(db)
  const { rows } = await sql<{ version: number }>`select version from schema_migration`.execute(db)
  const seen = new Set(rows.map(({ version }) => version))
  const current = Math.max(0, ...seen)
  const newest = migrations.at(-1)?.version ?? 0
  if (current > newest) {
    throw new StartupError(
      `The database belongs to a newer Plimsoll (schema ${current}; this version supports ${newest}). Start that version or a later one.`,
    )
  }
  for (const migration of migrations.filter(({ version }) => !seen.has(version))) await apply(db, migration)
}

async function apply(db: Db, { version, name, path }: Migration): Promise<void> {
  const text = await readFile(path, 'utf8')
  await db.transaction().execute(async (tx) => {
    await sql.raw(text).execute(tx)
    await sql`insert into schema_migration (version, name) values (${version}, ${name})`.execute(tx)
  })
}

async function listMigrations(directory: URL): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort()
  return files.map((name) => ({ version: Number(name.slice(0, 6)), name, path: new URL(name, directory) }))
}
