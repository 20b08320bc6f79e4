import { expect, onTestFinished, test } from 'vitest'
import { batchesOf, endSecond, startSecond, twoNodes } from '@plimsoll/pipeline/testing'
import { aCluster } from '../../../test/people.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { storedSums } from '../../../test/stored-hours.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { fold } from './fold.ts'
import { FoldThread } from './fold-thread.ts'
import { FoldThreads } from './fold-threads.ts'

const t = useTestApp()

test('clusters folded concurrently in two threads have the same sums as sequentially', async () => {
  const options = { databaseUrl: t.url, log: t.deps.log, now: t.deps.now, memoryMibMax: 1024 }
  const threads = new FoldThreads([new FoldThread(options), new FoldThread(options)])
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

/** A thread that records its requests, and finishes on demand. */
function notedThread() {
  const folded: string[] = []
  const waiting: (() => void)[] = []
  return {
    folded,
    finish: () => waiting.splice(0).forEach((done) => done()),
    fold: (clusterId: string) => {
      folded.push(clusterId)
      return new Promise<void>((resolve) => waiting.push(resolve))
    },
    close: async () => undefined,
  }
}

test('a new cluster goes to the least busy thread and stays there', async () => {
  const [one, two] = [notedThread(), notedThread()]
  const threads = new FoldThreads([one, two])
  const runs = ['a', 'b'].map((id) => threads.fold(id))
  two.finish()
  await runs[1]
  // The first thread is still busy.
  runs.push(threads.fold('c'))
  two.finish()
  one.finish()
  await Promise.all(runs)
  const again = ['c', 'b', 'a', 'd'].map((id) => threads.fold(id))
  one.finish()
  two.finish()
  await Promise.all(again)
  expect([one.folded, two.folded]).toEqual([
    ['a', 'a', 'd'],
    ['b', 'c', 'c', 'b'],
  ])
})

test('a failed run is reported, and the thread counts as free again', async () => {
  const failing = { fold: () => Promise.reject(new Error('ended')), close: async () => undefined }
  const other = notedThread()
  const threads = new FoldThreads([failing, other])
  await expect(threads.fold('a')).rejects.toThrow('ended')
  const run = threads.fold('b')
  other.finish()
  await run
  await expect(threads.fold('c')).rejects.toThrow('ended')
})
