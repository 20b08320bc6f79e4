import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { KeptStates } from '@plimsoll/pipeline/fold'
import { batchesOf, startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { patience } from '../../../test/patience.ts'
import { aCluster } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { silent } from '../../../test/test-database.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { startJobs } from '../../job-handlers.ts'
import { sweep } from '../../maintenance/sweep.ts'
import { openPool } from '../../platform/db/database.ts'
import { foldLater } from '../fold-later.ts'
import { fold } from './fold.ts'
import { FoldLease } from './fold-lease.ts'

const t = useTestApp()

/** Counts loads of a state from its checkpoint. */
class CountedStates extends KeptStates {
  loads = 0

  override take(clusterId: string) {
    const kept = super.take(clusterId)
    this.loads += kept ? 0 : 1
    return kept
  }
}

let replicas = 0

/** A separate queue with separate states, on the database of the test. */
async function aReplica({ now = t.deps.now }: { now?: () => Date } = {}) {
  const holder = `replica ${(replicas += 1)}`
  const kept = new CountedStates()
  const folded: string[] = []
  const run = async (clusterId: string) => {
    await fold({ ...t.deps, now }, { clusterId }, { kept, holder })
    folded.push(clusterId)
  }
  const deps = { ...t.deps, now, folding: { fold: run, close: async () => undefined } }
  const pool = openPool(t.url, { connectionsMax: 8, connectMsMax: 60_000 }, silent)
  const lease = await FoldLease.take({ db: t.db, holder, log: silent })
  const jobs = await startJobs(deps, pool, { isScheduling: false, lease })
  let isStopped = false
  /** Like a kill: the lease stays until it expires. */
  const die = async () => {
    if (isStopped) return
    isStopped = true
    await lease.stopRenewing()
    await jobs.stop()
    await pool.end()
  }
  onTestFinished(async () => {
    await die()
    await lease.release()
  })
  return { holder, lease, kept, folded, die }
}

type Sender = Awaited<ReturnType<typeof aCluster>> & { sent: number }

const batches = batchesOf(twoNodes, { minutesPerBatch: 1 })

/** The batch queues its fold, as in production. */
async function report(sender: Sender): Promise<void> {
  t.clock.now = new Date((startSecond + 60 * sender.sent) * 1000)
  const batch = batches[sender.sent]
  sender.sent += 1
  if (!batch) throw new Error('the past of the cluster has ended')
  expect((await sendBatch(t, sender.agentToken, batch, { seq: sender.sent })).statusCode).toBe(202)
}

const aSender = async (): Promise<Sender> => ({ ...(await aCluster(t)), sent: 0 })

const turnsOf = (...of: { folded: string[] }[]) => of.reduce((sum, { folded }) => sum + folded.length, 0)

test('a cluster stays with one of two replicas, which loads its state once', async () => {
  const [one, two] = [await aReplica(), await aReplica()]
  await one.lease.renew()
  const sender = await aSender()
  for (let turn = 1; turn <= 12; turn += 1) {
    await report(sender)
    await vi.waitUntil(() => turnsOf(one, two) >= turn, patience)
  }
  expect([one.folded.length, two.folded.length].toSorted((a, b) => a - b)).toEqual([0, 12])
  expect(one.kept.loads + two.kept.loads).toBe(1)
})

test('when the holder dies, another replica folds its clusters once the lease expires by the database clock', async () => {
  const doomed = await aReplica()
  const sender = await aSender()
  await report(sender)
  await vi.waitUntil(() => turnsOf(doomed) === 1, patience)
  await doomed.die()
  // The clock of this replica is a minute ahead, which does not expire the lease of another one.
  const heir = await aReplica({ now: () => new Date(t.clock.now.getTime() + 60_000) })
  expect(heir.lease.others).toContain(doomed.holder)
  await report(sender)
  const other = await aSender()
  await report(other)
  await vi.waitUntil(() => heir.folded.includes(other.clusterId), patience)
  expect(heir.folded).not.toContain(sender.clusterId)

  await sql`update fold_lease set until = now() where holder = ${doomed.holder}`.execute(t.db)
  await heir.lease.renew()
  expect(heir.lease.others).not.toContain(doomed.holder)
  await vi.waitUntil(() => heir.folded.includes(sender.clusterId), patience)
  const row = await t.db
    .selectFrom('fold_checkpoint')
    .select('holder')
    .where('cluster_id', '=', sender.clusterId)
    .executeTakeFirst()
  expect(row).toEqual({ holder: heir.holder })
})

test('a released lease frees its clusters at once', async () => {
  const leaving = await aReplica()
  const staying = await aReplica()
  await leaving.die()
  await leaving.lease.release()
  await staying.lease.renew()
  expect(staying.lease.others).not.toContain(leaving.holder)
})

test('batches that a living holder ignores for a minute may be folded by any replica', async () => {
  const { clusterId, ...rest } = await aSender()
  const sender = { clusterId, ...rest }
  const flags = async () => {
    const { rows } = await sql<{ flags: Record<string, true> | null }>`
      select flags from graphile_worker.jobs where key = ${`fold ${clusterId}`}`.execute(t.db)
    return rows[0]?.flags
  }
  await fold(t.deps, { clusterId }, { holder: 'the busy one' })
  await report(sender)
  await fold(t.deps, { clusterId }, { holder: 'the busy one' })
  await report(sender)
  await sweep(t.deps)
  expect(await flags()).toEqual({ 'the busy one': true })
  t.clock.advance(61_000)
  await sweep(t.deps)
  expect(await flags()).toBeNull()
  await foldLater(t.db, clusterId)
  expect(await flags()).toEqual({ 'the busy one': true })
})
