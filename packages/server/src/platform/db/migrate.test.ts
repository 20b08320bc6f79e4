import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { emptyDatabase, silent } from '../../../test/test-database.ts'
import { migrationsDirectory } from '../../directories.ts'
import { StartupError } from '../startup-error.ts'
import { openDatabase, openPool, type Db } from './database.ts'
import { migrate } from './migrate.ts'

async function directoryOf(files: Record<string, string>): Promise<URL> {
  const path = await mkdtemp(join(tmpdir(), 'plimsoll-migrations-'))
  onTestFinished(() => rm(path, { recursive: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  return pathToFileURL(`${path}/`)
}

/** Another replica: separate connections to the same database. */
function replica(url: string): Db {
  const pool = openPool(url, { connectionsMax: 1 }, silent)
  onTestFinished(() => pool.end())
  return openDatabase(pool)
}

async function applied(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migration order by version`.execute(db)
  return rows.map(({ name }) => name)
}

async function exists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select to_regclass(${table}) is not null as found`.execute(db)
  return rows[0]?.found ?? false
}

test('replicas that start concurrently on an empty database migrate it once', async () => {
  const { db, url } = await emptyDatabase()
  // Two concurrent runs would fail: the table is created without "if not exists".
  const directory = await directoryOf({
    '000001_slow.sql': 'select pg_sleep(0.2); create table made_once (id integer)',
    '000002_count.sql': 'insert into made_once values (1)',
  })
  await Promise.all(Array.from({ length: 4 }, () => migrate(replica(url), directory)))
  expect(await applied(db)).toEqual(['000001_slow.sql', '000002_count.sql'])
  expect((await sql`select * from made_once`.execute(db)).rows).toHaveLength(1)
})

test('the real migrations run on an empty database, and running them again changes nothing', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, migrationsDirectory)
  const first = await applied(db)
  await migrate(db, migrationsDirectory)
  expect(await applied(db)).toEqual(first)
  expect(first[0]).toBe('000001_people.sql')
})

/** The real migrations, up to one of them. */
async function ownUpTo(version: number): Promise<URL> {
  const names = (await readdir(migrationsDirectory)).filter((name) => Number(name.slice(0, 6)) <= version)
  const texts = names.map(async (name) => [name, await readFile(new URL(name, migrationsDirectory), 'utf8')] as const)
  return directoryOf(Object.fromEntries(await Promise.all(texts)))
}

test('open recommendations about stuck pods from an earlier version name their pods, and nothing else changes', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, await ownUpTo(21))
  const [stuck, other] = ['failed_pods_holding', 'workload_abandoned']
  const written = [
    { id: 'a', rule: stuck, status: 'pending', content: { target: 'web' } },
    { id: 'b', rule: stuck, status: 'approved', content: { target: 'api' } },
    { id: 'c', rule: stuck, status: 'rejected', content: { target: 'old' } },
    { id: 'd', rule: stuck, status: 'pending', content: { target: 'db', removesPods: 2 } },
    { id: 'e', rule: other, status: 'pending', content: { target: 'web' } },
  ]
  await sql`
    insert into recommendation (cluster_id, recommendation_id, rule_id, category, target_key, status, severity,
      severity_rank, risk, confidence, title, namespace, pod_name, search_text, estimated_savings, content, basis,
      created_at, updated_at)
    select 'clu', id, rule, 'idle', id, status, 'low', 1, 'low', 'high', '', 'shop', '', '', 1, content, '', now(), now()
    from jsonb_to_recordset(${JSON.stringify(written)}::jsonb)
      as record (id text, rule text, status text, content jsonb)`.execute(db)
  await migrate(db, migrationsDirectory)
  const { rows } = await sql<{ content: object; revision: number }>`
    select content, revision from recommendation order by recommendation_id`.execute(db)
  expect(rows).toEqual([
    { content: { target: 'web', removesPods: 'stuck' }, revision: 1 },
    { content: { target: 'api', removesPods: 'stuck' }, revision: 1 },
    { content: { target: 'old' }, revision: 1 },
    { content: { target: 'db', removesPods: 2 }, revision: 1 },
    { content: { target: 'web' }, revision: 1 },
  ])
})

test('a later version applies the missing migrations, in order', async () => {
  const { db } = await emptyDatabase()
  const first = { '000001_a.sql': 'create table a (id integer)' }
  await migrate(db, await directoryOf(first))
  await migrate(
    db,
    await directoryOf({
      '000003_c.sql': 'insert into a select id from b',
      '000002_b.sql': 'create table b (id integer)',
      ...first,
    }),
  )
  expect(await applied(db)).toEqual(['000001_a.sql', '000002_b.sql', '000003_c.sql'])
})

test('a migration inserted in between is not skipped', async () => {
  const { db } = await emptyDatabase()
  const early = { '000001_a.sql': 'create table a (id integer)', '000003_c.sql': 'create table c (id integer)' }
  await migrate(db, await directoryOf(early))
  await migrate(db, await directoryOf({ ...early, '000002_b.sql': 'create table b (id integer)' }))
  expect(await exists(db, 'b')).toBe(true)
})

test('a failed migration is rolled back, keeps earlier ones, and can be repeated', async () => {
  const { db, url } = await emptyDatabase()
  const good = { '000001_a.sql': 'create table a (id integer)' }
  const broken = await directoryOf({
    ...good,
    '000002_b.sql': 'create table b (id integer); insert into b values (1); select 1 / 0',
    '000003_c.sql': 'create table c (id integer)',
  })
  await expect(migrate(db, broken)).rejects.toThrow('division by zero')
  expect(await applied(db)).toEqual(['000001_a.sql'])
  expect([await exists(db, 'a'), await exists(db, 'b'), await exists(db, 'c')]).toEqual([true, false, false])

  // The lock is free again, also for others.
  await migrate(replica(url), await directoryOf({ ...good, '000002_b.sql': 'create table b (id integer)' }))
  expect(await applied(db)).toEqual(['000001_a.sql', '000002_b.sql'])
})

test('the database of a newer version is rejected with a sentence and unchanged', async () => {
  const { db } = await emptyDatabase()
  const directory = await directoryOf({ '000001_a.sql': 'create table a (id integer)' })
  await migrate(db, directory)
  await sql`insert into schema_migration (version, name) values (999999, 'from the future')`.execute(db)
  const refused = migrate(db, await directoryOf({ '000001_a.sql': '', '000002_b.sql': 'create table b (id integer)' }))
  await expect(refused).rejects.toThrow(StartupError)
  await expect(refused).rejects.toThrow(/newer Plimsoll \(schema 999999; this version supports 2\)/)
  expect(await exists(db, 'b')).toBe(false)
})

test('a connection has its usual time limit after the migration', async () => {
  const { db } = await emptyDatabase()
  await migrate(db, await directoryOf({}))
  const { rows } = await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db)
  expect(rows[0]?.limit).toBe('30s')
})
