import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { inject, onTestFinished } from 'vitest'
import { openDatabase, openPool, type Db } from '../src/platform/db/database.ts'

export const silent = pino({ level: 'silent' })

export type TestDatabase = { db: Db; pool: pg.Pool; url: string; drop: () => Promise<void> }

/** A new copy of the migrated template. Dropped when the test ends, unless the caller drops it later. */
export function testDatabase({ dropLater = false } = {}): Promise<TestDatabase> {
  return makeDatabase('template_plimsoll', dropLater)
}

/** The state at the first start. */
export function emptyDatabase({ dropLater = false } = {}): Promise<TestDatabase> {
  return makeDatabase('template0', dropLater)
}

async function makeDatabase(template: string, dropLater: boolean): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  // Copying files takes a tenth of the time of logged writes, and nothing here must survive a crash.
  await asOwner(`create database ${name} template ${template} strategy = file_copy`)
  const url = withDatabase(inject('postgresUrl'), name)
  // Six connections listen for jobs while a test runs the queue. A slow machine must not look like an unavailable
  // database.
  const pool = openPool(
    withDatabase(inject('postgresSocketUrl'), name),
    { connectionsMax: 12, connectMsMax: 60_000 },
    silent,
  )
  const drop = async () => {
    if (!pool.ended) await pool.end()
    await asOwner(`drop database if exists ${name} with (force)`)
  }
  if (!dropLater) onTestFinished(drop)
  return { db: openDatabase(pool), pool, url, drop }
}

const withDatabase = (url: string, name: string) => url.replace(/\/[^/]*$/, `/${name}`)

async function asOwner(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(inject('postgresSocketUrl'), 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
