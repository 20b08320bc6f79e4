import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findViolations } from '../../../test/table-rules.ts'
import { testDatabase, type TestDatabase } from '../../../test/test-database.ts'
import { listTableClasses } from './table-classes.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase({ dropLater: true })
})
afterAll(() => database.drop())

/** Adds these tables and drops them afterwards. */
async function violationsWith(ddl: string): Promise<string[]> {
  const tx = await database.db.startTransaction().execute()
  try {
    await sql.raw(ddl).execute(tx)
    return await findViolations(tx)
  } finally {
    await tx.rollback().execute()
  }
}

test('every table has a class and follows its rules', async () => {
  expect(await findViolations(database.db)).toEqual([])
})

test('the class of a table is the first word of its comment', async () => {
  const found = await listTableClasses(database.db)
  const classes = Object.fromEntries(found.map(({ table, tableClass }) => [table, tableClass]))
  expect(classes).toMatchObject({
    app_user: 'reference',
    cluster: 'reference',
    cluster_state: 'distributed',
    session: 'local',
    audit_entry: 'local',
    schema_migration: 'local',
  })
})

/** Each rule is broken once, to prove that the check can fail. */
describe('is reported:', () => {
  test.each([
    {
      name: 'a table without a class',
      ddl: 'create table bad (id text primary key)',
      violation: 'bad has no class: begin its comment with distributed, reference or local',
    },
    {
      name: 'an unknown class',
      ddl: `create table bad (id text primary key); comment on table bad is 'global: everywhere'`,
      violation: 'bad has no class: begin its comment with distributed, reference or local',
    },
    {
      name: 'a distributed table without a cluster',
      ddl: distributed('id text', ''),
      violation: ['bad is distributed and has no column cluster_id', 'bad is distributed and has no primary key'],
    },
    {
      name: 'a distributed table whose primary key begins with something else',
      ddl: distributed('cluster_id text, id text', 'primary key (id, cluster_id)'),
      violation: 'bad is distributed and its unique index bad_pkey does not begin with cluster_id',
    },
    {
      name: 'a unique constraint without the cluster',
      ddl: distributed('cluster_id text, name text unique', 'primary key (cluster_id, name)'),
      violation: 'bad is distributed and its unique index bad_name_key does not begin with cluster_id',
    },
    {
      name: 'a unique index without the cluster, partial ones included',
      ddl: `${distributed('cluster_id text primary key, name text', '')};
            create unique index bad_name on bad (name, cluster_id) where name <> ''`,
      violation: 'bad is distributed and its unique index bad_name does not begin with cluster_id',
    },
    {
      name: 'a unique index on an expression',
      ddl: `${distributed('cluster_id text primary key, name text', '')};
            create unique index bad_name on bad (lower(cluster_id), name)`,
      violation: 'bad is distributed and its unique index bad_name does not begin with cluster_id',
    },
    {
      name: 'an exclusion constraint without the cluster',
      ddl: distributed('cluster_id text primary key, hours tstzrange', 'exclude using gist (hours with &&)'),
      violation: 'bad is distributed and its unique index bad_hours_excl does not begin with cluster_id',
    },
    {
      name: 'a trigger on a distributed table',
      ddl: `${distributed('cluster_id text primary key', '')};
            create trigger no_change before update on bad for each statement execute function refuse_change()`,
      violation: 'bad is distributed and has the trigger no_change',
    },
    {
      name: 'a distributed table that points to a local one',
      ddl: distributed('cluster_id text primary key, session_id text references session', ''),
      violation: 'bad is distributed and points to session, which is local',
    },
    {
      name: 'a distributed table that points into another cluster',
      ddl: distributed('cluster_id text primary key, other text references cluster_state (cluster_id)', ''),
      violation: 'bad points to cluster_state without cluster_id and so into other clusters',
    },
    {
      name: 'a reference table that points to a distributed one',
      ddl: `create table bad (cluster_id text primary key references cluster_state);
            comment on table bad is 'reference: bad'`,
      violation: 'bad is reference and points to cluster_state, which is distributed',
    },
    {
      name: 'a reference table that points to a local one',
      ddl: `create table bad (id text primary key references session);
            comment on table bad is 'reference: bad'`,
      violation: 'bad is reference and points to session, which is local',
    },
    {
      name: 'a local table that points to a distributed one',
      ddl: `create table bad (cluster_id text primary key references cluster_state);
            comment on table bad is 'local: bad'`,
      violation: 'bad is local and points to cluster_state, which is distributed',
    },
    {
      name: 'a partitioned table, whose parts inherit the fault',
      ddl: `create table bad (cluster_id text, at date, primary key (at, cluster_id)) partition by range (at);
            create table bad_2026 partition of bad for values from ('2026-01-01') to ('2027-01-01');
            comment on table bad is 'distributed: bad'`,
      violation: 'bad is distributed and its unique index bad_pkey does not begin with cluster_id',
    },
  ])('$name', async ({ ddl, violation }) => {
    expect(await violationsWith(ddl)).toEqual([violation].flat())
  })
})

test('permitted tables are not reported', async () => {
  const ddl = `
    create table good (cluster_id text references cluster, id text, user_id uuid references app_user,
                       primary key (cluster_id, id), foreign key (cluster_id) references cluster_state (cluster_id));
    create unique index good_user on good (cluster_id, user_id);
    create index good_by_user on good (user_id);
    comment on table good is 'distributed: good';
    create table note (session_id text references session, user_id uuid references app_user, text text unique);
    comment on table note is 'local: good'`
  expect(await violationsWith(ddl)).toEqual([])
})

function distributed(columns: string, constraint: string): string {
  const body = [columns, constraint].filter((part) => part !== '').join(', ')
  return `create table bad (${body}); comment on table bad is 'distributed: bad'`
}
