import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aCluster, anApiKey, aPerson } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { workOff } from '../../test/work-off.ts'
import { makeAgentToken } from '../platform/auth/make-agent-token.ts'
import { deleteAgentToken, expireAgentTokens } from '../platform/auth/queries/agent-tokens.ts'
import { deleteCluster, listUnpurgedClusters } from '../clusters/queries/clusters.ts'
import { listClustersToFold } from '../ingest/queries/fold-queue.ts'
import { insertAnswer } from '../platform/http/queries/idempotency.ts'
import { insertLink } from '../platform/auth/queries/one-time-links.ts'
import { countHit } from '../platform/http/queries/request-counts.ts'
import { listSecrets } from '../platform/auth/queries/secrets.ts'
import { insertSession } from '../platform/auth/queries/sessions.ts'
import { findJob, findLiveSync, insertSync } from '../clusters/queries/sync-jobs.ts'
import { sweep } from './sweep.ts'

const t = useTestApp()

const hourMs = 3_600_000

async function idsIn(table: 'session' | 'one_time_link' | 'idempotent_answer' | 'rate_limit', column: string) {
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(column)} as id from ${sql.table(table)} order by 1`.execute(t.db)
  return rows.map(({ id }) => id)
}

test('the sweep removes expired rows exactly at their time, and nothing else', async () => {
  const now = t.deps.now()
  const { userId, sessionId } = await aPerson(t)
  const at = (ms: number) => new Date(now.getTime() + ms)
  const common = { userId, address: '192.0.2.1', userAgent: null, now }
  await insertSession(t.db, { ...common, sessionId: 'ses_expired', expiresAt: now })
  await insertSession(t.db, { ...common, sessionId: 'ses_open', expiresAt: at(1) })
  for (const [linkId, expiresAt] of [
    ['lnk_expired', now],
    ['lnk_open', at(1)],
  ] as const) {
    await insertLink(t.db, { linkId, userId: null, mac: Buffer.from('mac'), expiresAt, now })
  }
  const answer = { caller: userId, fingerprint: Buffer.from(''), status: 201, headers: {}, body: {}, resourceId: null }
  await insertAnswer(t.db, { ...answer, key: 'old', now: at(-24 * hourMs) })
  await insertAnswer(t.db, { ...answer, key: 'young', now: at(1 - 24 * hourMs) })
  await countHit(t.db, 'closed', 60)
  await countHit(t.db, 'open', 60)
  await sql`update rate_limit set resets_at = statement_timestamp() - interval '1 ms' where bucket = 'closed'`.execute(
    t.db,
  )
  await sql`delete from rate_limit where bucket not in ('closed', 'open')`.execute(t.db)

  await sweep(t.deps)
  await sweep(t.deps)

  expect(await idsIn('session', 'session_id')).toEqual(['ses_open', sessionId].sort())
  expect(await idsIn('one_time_link', 'link_id')).toEqual(['lnk_open'])
  expect(await idsIn('idempotent_answer', 'idempotency_key')).toEqual(['young'])
  expect(await idsIn('rate_limit', 'bucket')).toEqual(['open'])
})

test('the sweep does not touch users, keys and the audit', async () => {
  const { userId, bearer } = await aPerson(t)
  const { header } = await anApiKey(t, userId)
  await send(t, { method: 'POST', url: '/auth/logout', headers: bearer })
  const count = async () => {
    const { rows } = await sql<{ users: number; keys: number; entries: number }>`
      select (select count(*)::integer from app_user) as users, (select count(*)::integer from api_key) as keys,
             (select count(*)::integer from audit_entry) as entries`.execute(t.db)
    return rows[0]
  }
  const before = await count()
  t.clock.advance(400 * 24 * hourMs)
  await sweep(t.deps)
  expect(await count()).toEqual(before)
  expect((await send(t, { url: '/auth/me', headers: header })).statusCode).toBe(200)
  expect(before?.entries).toBeGreaterThan(0)
})

test('expired agent tokens and retired signing keys are deleted, current ones stay', async () => {
  const { clusterId, tokenId } = await aCluster(t)
  await expireAgentTokens(t.db, clusterId, t.deps.now())
  const { tokenId: current } = await makeAgentToken(t.deps, t.db, clusterId)
  await t.deps.secrets.rotateSigningKey(t.db, { endSessions: true })
  await sweep(t.deps)
  const tokens = await t.db.selectFrom('agent_token').select('token_id').where('cluster_id', '=', clusterId).execute()
  expect(tokens).toEqual([{ token_id: current }])
  expect(tokens).not.toContainEqual({ token_id: tokenId })
  const keys = (await listSecrets(t.db)).filter(({ purpose }) => purpose === 'jwt')
  expect(keys.map(({ retires_at }) => retires_at)).toEqual([null])
})

test('a purge with a lost job is queued again, even for a cluster without a token', async () => {
  const { clusterId, tokenId } = await aCluster(t)
  await deleteAgentToken(t.db, clusterId, tokenId)
  await deleteCluster(t.db, clusterId, t.deps.now())
  const left = () => t.db.selectFrom('cluster_state').select('cluster_id').where('cluster_id', '=', clusterId).execute()
  expect(await left()).toHaveLength(1)
  await sweep(t.deps)
  await workOff(t)
  expect(await left()).toEqual([])
  expect(await listUnpurgedClusters(t.db)).toEqual([])
})

test('a cluster with batches after its checkpoint is folded again after any downtime', async () => {
  const [lost, fresh, saved] = [await aCluster(t), await aCluster(t), await aCluster(t)]
  const now = t.clock.now
  const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000)
  const batch = (clusterId: string, received_at: Date, unsaved: boolean) => ({
    cluster_id: clusterId,
    batch_id: 'one',
    epoch: 'epoch',
    seq: 1,
    kind: 'live' as const,
    digest: Buffer.alloc(32),
    state: 'folded' as const,
    received_at,
    unsaved,
  })
  const batches = [
    batch(lost.clusterId, minutesAgo(600), true),
    batch(fresh.clusterId, minutesAgo(5), true),
    batch(saved.clusterId, minutesAgo(600), false),
  ]
  await t.db.insertInto('ingest_batch').values(batches).execute()
  expect(await listClustersToFold(t.db, now)).toEqual([{ clusterId: lost.clusterId, isOverdue: false }])
})

test('a batch behind a missing one, or of a backfill, is not overdue, and a batch that can be folded is', async () => {
  const now = t.clock.now
  const pending = async ({
    seq,
    kind = 'live',
    minutes = 5,
  }: {
    seq: number
    kind?: 'live' | 'backfill'
    minutes?: number
  }) => {
    const { clusterId } = await aCluster(t)
    const at = new Date(now.getTime() - minutes * 60_000)
    await sql`
      insert into ingest_epoch (cluster_id, epoch, started_at, folded_seq) values (${clusterId}, 'epoch', ${at}, 3)`.execute(
      t.db,
    )
    await t.db
      .insertInto('ingest_batch')
      .values({
        cluster_id: clusterId,
        batch_id: 'one',
        epoch: 'epoch',
        seq,
        kind,
        digest: Buffer.alloc(32),
        state: 'pending',
        received_at: at,
        unsaved: false,
      })
      .execute()
    return clusterId
  }
  const [next, late, behindGap, waitedFor, past] = [
    await pending({ seq: 4 }),
    await pending({ seq: 2 }),
    await pending({ seq: 5 }),
    await pending({ seq: 5, minutes: 16 }),
    await pending({ seq: 4, kind: 'backfill' }),
  ]
  const overdue = new Map((await listClustersToFold(t.db, now)).map((each) => [each.clusterId, each.isOverdue]))
  expect([next, late, behindGap, waitedFor, past].map((id) => overdue.get(id))).toEqual([
    true,
    true,
    false,
    true,
    false,
  ])
})

test('a sync that never ends fails after ten minutes, so that another sync can start', async () => {
  const { clusterId } = await aCluster(t)
  await insertSync(t.db, { jobId: 'job_hung', clusterId, now: t.clock.now })
  t.clock.advance(10 * 60_000)
  await sweep(t.deps)
  expect(await findLiveSync(t.db, clusterId)).toBeDefined()
  t.clock.advance(1)
  await sweep(t.deps)
  expect(await findLiveSync(t.db, clusterId)).toBeUndefined()
  expect((await findJob(t.db, 'job_hung'))?.error).toContain('10 minutes')
})
