import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { silent, testDatabase } from '../../../test/test-database.ts'
import { findCluster, listClusters } from '../../clusters/queries/clusters.ts'
import { openDatabase, openPool } from './database.ts'
import { prepared } from './prepared.ts'
import { countHit } from '../http/queries/request-counts.ts'

async function oneConnection() {
  const { url } = await testDatabase()
  const pool = openPool(url, { connectionsMax: 1 }, silent)
  const db = openDatabase(pool)
  const names = async () => {
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements order by name`.execute(db)
    return rows.map(({ name }) => name)
  }
  return { db, pool, names }
}

test('a statement of every request is prepared once per connection, for any values', async () => {
  const { db, pool, names } = await oneConnection()
  for (const bucket of ['a', 'b', 'a']) await countHit(db, bucket, 60)
  expect((await countHit(db, 'a', 60)).hits).toBe(3)
  for (const id of ['cls_1', 'cls_2']) expect(await findCluster(db, id)).toBeUndefined()
  const page = { sort: 'name', visible: null, after: undefined, limit: 10 } as const
  for (const after of [undefined, 'a', 'b']) await listClusters(db, { ...page, after })
  expect(await names()).toEqual(['count-hit', 'find-cluster', 'list-clusters name  ', 'list-clusters name from '])
  await pool.end()
})

test('a prepared statement works inside a transaction, and its failure is a normal error', async () => {
  const { db, pool } = await oneConnection()
  const sum = await db
    .transaction()
    .execute((tx) => prepared<{ sum: number }>(tx, 'sum', 'select $1::int + 1 as sum', [1]))
  expect(sum).toEqual([{ sum: 2 }])
  await expect(prepared(db, 'division', 'select 1 / $1::int', [0])).rejects.toThrow('division by zero')
  expect(
    await prepared(db, 'division', 'select 1 / $1::int as one', [1]).catch((error: Error) => error.message),
  ).toContain('must be unique')
  await pool.end()
})
