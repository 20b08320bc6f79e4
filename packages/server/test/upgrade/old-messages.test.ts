import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aChannel, aMessage, queue } from '../channels.ts'
import { useTestApp } from '../test-app.ts'

const t = useTestApp()

const migration = readFileSync(new URL('../../migrations/000048_event_transactions.sql', import.meta.url), 'utf8')
/** The statement of the migration that ends old messages. */
const endOldMessages = migration.slice(migration.indexOf('insert into delivery'))

test('messages of an earlier version about a silent cluster are ended once for each channel', async () => {
  const { channelId } = await aChannel(t.deps, 'pagerduty', { routing_key: 'a'.repeat(32) })
  const key = 'cluster_silent:cls_1:2026-03-01T11:30:00.000Z'
  await queue(t.deps, aMessage({ dedupKey: key }))
  await queue(t.deps, aMessage({ dedupKey: 'cluster_silent:cls_2:2026-03-01T11:30:00.000Z' }))
  await queue(t.deps, aMessage({ dedupKey: 'alert:alt_1' }))
  await sql`update delivery set state = 'delivered', tries = 1 where dedup_key like '%cls_2%'`.execute(t.db)
  const ended = { dedupKey: 'cluster_silent:cls_2:2026-03-01T11:30:00.000Z', endedAt: t.clock.now.toISOString() }
  await queue(t.deps, aMessage(ended), 'resolved')
  for (const _time of [1, 2]) await sql.raw(endOldMessages).execute(t.db)
  const rows = await t.db.selectFrom('delivery').selectAll().where('dedup_key', '=', key).orderBy('position').execute()
  expect(rows.map(({ transition, state, channel_id }) => [transition, state, channel_id])).toEqual([
    ['firing', 'waiting', channelId],
    ['resolved', 'waiting', channelId],
  ])
  expect(rows[1]?.message).toMatchObject({ dedupKey: key, endedAt: expect.stringMatching(/Z$/) as string })
  expect(await t.db.selectFrom('delivery').select('delivery_id').execute()).toHaveLength(5)
})
