import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { patience } from '../../../test/patience.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { cancelOnAbort } from './cancel-on-abort.ts'

const t = useTestApp()

const sleeping = async () => {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where query like 'select pg_sleep%' and state = 'active' and datname = current_database()`.execute(t.db)
  return rows.length
}

test('an abort cancels the running query and the next ones, and the connection stays usable', async () => {
  const closing = new AbortController()
  const sleep = (db: typeof t.db) => sql`select pg_sleep(600)`.execute(db)
  const work = cancelOnAbort(t.db, closing.signal, (db) => sleep(db).catch(() => sleep(db)))
  const ended = expect(work).rejects.toMatchObject({ code: '57014' })
  await vi.waitUntil(async () => (await sleeping()) === 1, patience)
  closing.abort()
  await ended
  expect(await sleeping()).toBe(0)
  expect((await sql<{ one: number }>`select 1 as one`.execute(t.db)).rows).toEqual([{ one: 1 }])
})

test('without an abort, the result is returned; after an abort, nothing runs', async () => {
  const { signal } = new AbortController()
  expect(await cancelOnAbort(t.db, signal, async () => 'result')).toBe('result')
  const run = vi.fn()
  await expect(cancelOnAbort(t.db, AbortSignal.abort(), run)).rejects.toThrow()
  expect(run).not.toHaveBeenCalled()
})
