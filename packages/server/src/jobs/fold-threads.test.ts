import { expect, onTestFinished, test } from 'vitest'
import { twoNodes } from '../../test/folded-cluster.ts'
import { aCluster } from '../../test/people.ts'
import { sendBatch } from '../../test/send-batch.ts'
import { batchesOf, endSecond, startSecond } from '../../test/small-world.ts'
import { storedSums } from '../../test/stored-hours.ts'
import { useTestApp } from '../../test/test-app.ts'
import { fold } from './fold.ts'
import { FoldThreads } from './fold-threads.ts'

const t = useTestApp()
test('clusters that are folded at the same time in several threads have the same sums as one after the other', async () => {
  const threads = new FoldThreads({ databaseUrl: t.url, log: t.deps.log, now: t.deps.now }, 2)
  onTestFinished(() => threads.close())
  const batches = batchesOf(twoNodes, { minutesPerBatch: 30 }).slice(0, 6)
  const clusters = [await aCluster(t), await aCluster(t), await aCluster(t)]
  const reference = await aCluster(t)
  for (const [index, batch] of batches.entries()) {
    t.clock.now = new Date(startSecond * 1000)
    for (const { agentToken } of [...clusters, reference]) {
      expect((await sendBatch(t, agentToken, batch, { seq: index + 1 })).statusCode).toBe(202)
    }
    t.clock.now = new Date(endSecond * 1000)
    await Promise.all(clusters.map(({ clusterId }) => threads.fold(clusterId)))
    await fold(t.deps, reference)
  }
  const expected = await storedSums(t, reference.clusterId)
  for (const { clusterId } of clusters) expect(await storedSums(t, clusterId)).toEqual(expected)
})
