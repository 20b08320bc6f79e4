import { recommendationStatuses, verificationStates } from '@plimsoll/contract'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'

/** Values that a check of a column allows, sorted. */
const allowed = (definition: string) => [...definition.matchAll(/'([^']+)'::text/g)].map(([, value]) => value).sort()

test.each([
  { table: 'recommendation', column: 'status', values: recommendationStatuses },
  { table: 'recommendation', column: 'verification', values: verificationStates },
])('the check of $table.$column allows the values of the API', async ({ table, column, values }) => {
  const { db } = await testDatabase()
  const { rows } = await sql<{ definition: string }>`
    select pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and c.conkey = array[a.attnum]
    where c.contype = 'c' and c.conrelid = ${table}::regclass and a.attname = ${column}`.execute(db)
  expect(rows.flatMap(({ definition }) => allowed(definition))).toEqual([...values].sort())
})
