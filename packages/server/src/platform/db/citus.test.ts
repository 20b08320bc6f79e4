import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/test-database.ts'
import { distributeTables } from './citus.ts'
import type { Db } from './database.ts'
import { listTableClasses } from './table-classes.ts'

/** Stubs for the functions of Citus: they record their arguments and reject what Citus rejects. */
async function pretendCitus(db: Db): Promise<void> {
  await sql
    .raw(
      `
    create schema stand_in;
    create table stand_in.placed (position serial, table_name regclass, kind text);
    create view citus_tables as select table_name from stand_in.placed;
    create function stand_in.place(t regclass, wanted text) returns void language plpgsql as $$
    declare target regclass;
    begin
      for target in select confrelid from pg_constraint where contype = 'f' and conrelid = t and confrelid <> t loop
        if not exists (select from stand_in.placed where table_name = target) then
          raise exception '% points to %, which is placed nowhere', t, target;
        end if;
      end loop;
      insert into stand_in.placed (table_name, kind) values (t, wanted);
    end $$;
    create function create_reference_table(t regclass) returns void language sql as $$ select stand_in.place(t, 'reference') $$;
    create function create_distributed_table(t regclass, c text) returns void language sql as $$ select stand_in.place(t, 'distributed by ' || c) $$;
    create function citus_add_local_table_to_metadata(t regclass) returns void language sql as $$ select stand_in.place(t, 'local') $$;`,
    )
    .execute(db)
}

const placed = async (db: Db) =>
  (
    await sql<{ table: string; kind: string }>`
      select table_name::text as "table", kind from stand_in.placed order by position`.execute(db)
  ).rows

test('on Citus every table is distributed by its class, after the tables that it references', async () => {
  const { db } = await testDatabase()
  await pretendCitus(db)
  await distributeTables(db)
  const kinds = Object.fromEntries((await placed(db)).map(({ table, kind }) => [table, kind]))
  const classes = await listTableClasses(db)
  expect(Object.keys(kinds)).toHaveLength(classes.length)
  for (const { table, tableClass } of classes)
    expect(kinds[table]).toBe(tableClass === 'distributed' ? 'distributed by cluster_id' : tableClass)
})

test('a later table is distributed at the next start, and none twice', async () => {
  const { db } = await testDatabase()
  await pretendCitus(db)
  await distributeTables(db)
  const before = await placed(db)
  await sql`create table a_late_one (cluster_id text primary key references cluster)`.execute(db)
  await sql`comment on table a_late_one is 'reference: for this test'`.execute(db)
  await distributeTables(db)
  expect(await placed(db)).toEqual([...before, { table: 'a_late_one', kind: 'reference' }])
})

test('without Citus nothing happens', async () => {
  const { db } = await testDatabase()
  await expect(distributeTables(db)).resolves.toBeUndefined()
})
