import { afterAll, expect, test, vi } from 'vitest'
import { aFoldedCluster } from '../../test/folded-cluster.ts'
import { useTestApp } from '../../test/test-app.ts'
import { AnalysisThread } from './analysis-thread.ts'

const t = useTestApp()
const threads: AnalysisThread[] = []
afterAll(async () => {
  for (const thread of threads) await thread.close()
})

function aThread(options: { idleMsMax?: number } = {}): AnalysisThread {
  const thread = new AnalysisThread({ databaseUrl: t.url, log: t.deps.log, now: t.deps.now, ...options })
  threads.push(thread)
  return thread
}

const withheldOf = (clusterId: string) =>
  t.db.selectFrom('recommendation_withheld').select('rule_id').where('cluster_id', '=', clusterId).execute()

test('what the thread finds is written down when it says so, and it ends when there is nothing to do', async () => {
  const [one, other] = [await aFoldedCluster(t), await aFoldedCluster(t)]
  const thread = aThread({ idleMsMax: 1 })
  expect(thread.isRunning).toBe(false)
  await Promise.all([thread.analyse(one.clusterId), thread.analyse(other.clusterId)])
  for (const { clusterId } of [one, other]) expect(await withheldOf(clusterId)).not.toEqual([])
  await vi.waitUntil(() => !thread.isRunning, { timeout: 20_000 })
  await thread.analyse(one.clusterId)
  await thread.close()
})

test('what goes wrong in it is told to whoever waits, and the next one is analysed all the same', async () => {
  const { clusterId } = await aFoldedCluster(t)
  const thread = aThread()
  await expect(thread.analyse('\0')).rejects.toThrow()
  await thread.analyse(clusterId)
  expect(await withheldOf(clusterId)).not.toEqual([])
})

test('a preview is computed in the thread, and one too many is told to come again', async () => {
  const thread = aThread()
  const asked = { ids: ['rec_unknown'], showsNodes: true }
  expect(await thread.preview(asked)).toMatchObject({ recommendations: 0, estimated_savings: 0, bankable_savings: 0 })
  const many = await Promise.allSettled(Array.from({ length: 21 }, () => thread.preview(asked)))
  const refused = many.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []))
  expect(refused).toMatchObject([{ code: 'service_unavailable' }])
})
