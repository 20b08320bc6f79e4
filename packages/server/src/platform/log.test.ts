import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/test-database.ts'
import { openPool } from './db/database.ts'
import { makeLog } from './log.ts'
import { patience } from '../../test/patience.ts'

function capturedLog() {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString())
      done()
    },
  })
  return { log: makeLog('info', stream), lines }
}

test('a lost database connection is logged as type, message, code and stack, without the connection', async () => {
  const { db, url } = await testDatabase()
  const { log, lines } = capturedLog()
  const pool = openPool(url, { connectionsMax: 1 }, log)
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid')
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
  await vi.waitFor(() => expect(lines.length).toBeGreaterThan(0), patience)
  for (const line of lines) {
    const { err } = JSON.parse(line) as { err: Record<string, unknown> }
    expect(Object.keys(err).every((key) => ['type', 'message', 'code', 'stack'].includes(key))).toBe(true)
    expect(line).not.toContain(new URL(url).password)
    expect(line.length).toBeLessThan(4_000)
  }
  expect(lines.join('')).toContain('"code":"57P01"')
  await pool.end()
})

test('a connection that is dropped while the pool closes is not logged', async () => {
  const { db, url } = await testDatabase()
  const { log, lines } = capturedLog()
  const pool = openPool(url, { connectionsMax: 1 }, log)
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const ended = pool.end()
  const gone = new Promise<void>((resolve) => client.on('end', () => resolve()))
  await sql`select pg_terminate_backend(${rows[0]?.pid})`.execute(db)
  await gone
  client.release()
  await ended
  expect(lines).toEqual([])
})

test('a thrown value that is not an Error is logged unchanged', () => {
  const { log, lines } = capturedLog()
  log.error({ err: 'a text' }, 'odd')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ err: 'a text', msg: 'odd' })
})

test('the causes of an error are logged, also if a cause is its own cause', () => {
  const { log, lines } = capturedLog()
  const refused = new RangeError('the address is private')
  refused.cause = refused
  log.warn({ err: new Error('something went wrong', { cause: refused }) }, 'failed')
  const { err } = JSON.parse(lines[0] ?? '') as { err: { causes: string[] } }
  expect(err.causes[0]).toBe('RangeError: the address is private')
  expect(err.causes).toHaveLength(5)
})
