import { expect, test } from 'vitest'
import { aFinding, analysed, idsOf } from '../../test/findings.ts'
import { aCluster, anApiKey, aPerson } from '../../test/people.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { isWaitingForLock } from '../../test/waiting-for-lock.ts'
import { lockRecommendations } from './queries/recommendations.ts'
import { patience } from '../../test/patience.ts'

const t = useTestApp()

test('an analysis that meets a concurrent batch of moves waits without holding any of its rows', async () => {
  const { clusterId } = await aCluster(t)
  const editor = (await anApiKey(t, (await aPerson(t, 'editor')).userId)).header
  const [done, open] = [aFinding({ name: 'done' }), aFinding({ name: 'open' })]
  await analysed(t, clusterId, { findings: [done] })
  const first = (await idsOf(t, clusterId)).done ?? ''
  const applied = await send(t, { method: 'POST', url: `/api/v1/recommendations/${first}/apply`, headers: editor })
  expect(applied.statusCode).toBe(200)
  // Ids of the same millisecond have no order.
  t.clock.advance(1000)
  await analysed(t, clusterId, { findings: [open] })
  const second = (await idsOf(t, clusterId)).open ?? ''
  expect(first < second).toBe(true)

  // A batch has locked the applied recommendation and is about to lock the open one.
  const analysis = await t.db.transaction().execute(async (tx) => {
    await lockRecommendations(tx, [clusterId], [first])
    const running = analysed(t, clusterId, { findings: [open] })
    await expect.poll(() => isWaitingForLock(t.db), patience).toBe(true)
    expect(await lockRecommendations(tx, [clusterId], [second])).toHaveLength(1)
    return { running }
  })
  expect((await analysis.running).update).toHaveLength(1)
})
