import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { countMentions, fillClusterTables } from '../../../test/fill-tables.ts'
import { anApiKey, aPerson, aRole } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { workOff } from '../../../test/work-off.ts'
import { purgeCluster } from './purge-cluster.ts'

const t = useTestApp()

type Made = { id: string; name: string; agent_token: string }

/** Through the API, as users do it, with data in all tables. */
async function aLivelyCluster(name: string): Promise<Made & { texts: string[] }> {
  const { bearer, userId } = await aPerson(t)
  const made = await send(t, {
    method: 'POST',
    url: '/api/v1/clusters',
    headers: { ...bearer, 'idempotency-key': `make ${name}`.replaceAll(' ', '-') },
    body: { name, provider: 'aws', region: 'eu-central-1' },
  })
  const cluster = made.json<Made>()
  const rotated = await send(t, {
    method: 'POST',
    url: `/api/v1/clusters/${cluster.id}/agent-tokens`,
    headers: { ...(await anApiKey(t, userId)).header, 'idempotency-key': `rotate-${cluster.id}` },
  })
  await send(t, { url: '/api/v1/clusters', headers: { authorization: `Bearer ${cluster.agent_token}` } })
  await fillClusterTables(t.db, cluster.id, 3)
  const { id: tokenId } = rotated.json<{ id: string }>()
  return { ...cluster, texts: [cluster.id, name, tokenId, `agt_${cluster.agent_token.slice(4, 30)}`] }
}

const remove = async ({ id }: Made) =>
  (await send(t, { method: 'DELETE', url: `/api/v1/clusters/${id}`, headers: (await aPerson(t)).bearer })).statusCode

test('a deleted cluster is gone from every table, and another cluster keeps every row', async () => {
  const [doomed, other] = [await aLivelyCluster('doomed cluster'), await aLivelyCluster('other cluster')]
  const before = await countMentions(t.db, other.texts)
  expect(await countMentions(t.db, doomed.texts)).toEqual(before)
  // Proves that the test has filled the tables.
  expect(before).toMatchObject({ cluster: 1, agent_token: 2, cluster_state: 1, last_use: 1, idempotent_answer: 2 })
  expect(before).toMatchObject({ rate_limit: 1, audit_entry: 2 })

  expect(await remove(doomed)).toBe(204)
  await workOff(t)

  expect(await countMentions(t.db, doomed.texts)).toEqual({
    cluster_tombstone: 1,
    deleted_agent_token: 2,
    audit_entry: 3,
    event: 1,
  })
  // The audit of the connection, preparation and deletion: audit entries are not data of the cluster.
  expect(await countMentions(t.db, [doomed.name])).toEqual({ audit_entry: 3 })
  expect(await countMentions(t.db, other.texts)).toEqual(before)
})

test('processing the queue schedules no sweep, which would remove rows of other clusters', async () => {
  await workOff(t)
  const { rows } = await sql<{ identifier: string }>`
    select identifier from graphile_worker._private_known_crontabs`.execute(t.db)
  expect(rows).toEqual([])
})

test('tables added later are emptied too, chunk by chunk, with keys inside the cluster', async () => {
  await sql
    .raw(
      `create table made_up_hour (cluster_id text, node text, hour timestamptz, core_seconds bigint not null, labels jsonb not null,
                               primary key (cluster_id, node, hour)) partition by range (hour);
       create table made_up_hour_old partition of made_up_hour for values from (minvalue) to ('2026-01-01T02:30:00Z');
       create table made_up_hour_new partition of made_up_hour for values from ('2026-01-01T02:30:00Z') to (maxvalue);
       comment on table made_up_hour is 'distributed: for this test';
       create table batch (cluster_id text, batch_id uuid, body bytea not null, parts text[] not null, primary key (cluster_id, batch_id));
       comment on table batch is 'distributed: for this test';
       create table batch_part (cluster_id text, batch_id uuid, part integer, at date not null, primary key (cluster_id, batch_id, part),
                                  foreign key (cluster_id, batch_id) references batch);
       comment on table batch_part is 'distributed: for this test'`,
    )
    .execute(t.db)
  const [doomed, other] = [await aLivelyCluster('doomed later'), await aLivelyCluster('other later')]
  const before = await countMentions(t.db, other.texts)
  expect(before).toMatchObject({ made_up_hour_old: 2, made_up_hour_new: 1, batch: 3, batch_part: 3 })

  expect(await remove(doomed)).toBe(204)
  await workOff(t)

  expect(await countMentions(t.db, doomed.texts)).toEqual({
    cluster_tombstone: 1,
    deleted_agent_token: 2,
    audit_entry: 3,
    event: 1,
  })
  expect(await countMentions(t.db, other.texts)).toEqual(before)
})

test('more rows than one chunk are all deleted', async () => {
  const { id } = await aLivelyCluster('large cluster')
  await sql
    .raw(
      `create table many (cluster_id text, n integer, primary key (cluster_id, n));
                 comment on table many is 'distributed: for this test'`,
    )
    .execute(t.db)
  await sql`insert into many select ${id}, n from generate_series(1, 25000) n`.execute(t.db)
  await sql`insert into many values ('cls_other', 1)`.execute(t.db)
  await purgeCluster(t.deps, { clusterId: id })
  await purgeCluster(t.deps, { clusterId: id })
  expect((await sql`select * from many`.execute(t.db)).rows).toEqual([{ cluster_id: 'cls_other', n: 1 }])
})

describe('a role restricted to the deleted cluster', () => {
  test('sees nothing afterwards, not everything', async () => {
    const [doomed, other] = [await aLivelyCluster('seen by few'), await aLivelyCluster('seen by others')]
    const role = await aRole(t, ['clusters:read', 'clusters:write'], { clusters: [doomed.id] })
    const { bearer: headers } = await aPerson(t, role)
    const seen = async () => (await send(t, { url: '/api/v1/clusters', headers })).json<{ clusters: Made[] }>().clusters

    expect((await seen()).map(({ id }) => id)).toEqual([doomed.id])
    await remove(doomed)
    await workOff(t)
    expect(await seen()).toEqual([])
    expect((await send(t, { url: `/api/v1/clusters/${other.id}`, headers })).statusCode).toBe(404)
    expect((await send(t, { url: '/auth/me', headers })).json()).toMatchObject({ clusters: [] })
    const make = { method: 'POST' as const, url: '/api/v1/clusters', headers, body: { name: 'a new one' } }
    expect((await send(t, make)).json()).toMatchObject({ code: 'role_narrowed' })
  })
})
