import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { expect, test } from 'vitest'
import { aReadCluster } from '../../test/folded-cluster.ts'
import { useTestApp } from '../../test/test-app.ts'
import { answerScopeDays, middleDay } from './answer-scope-days.ts'

const t = useTestApp()

test('many days are read in parts, and one day with too many rows is refused with the reason', async () => {
  const { clusterId } = await aReadCluster(t, twoNodesWithCloudResources)
  const end = new Date(endSecond * 1000)
  const since = new Date(end.getTime() - 400 * 86_400_000)
  const clusters = [{ cluster: { id: clusterId, name: 'c' }, end }]
  const request = { scope: { namespaces: ['shop'] }, share: false, since, clusters }
  const answer = await answerScopeDays(t.db, request)
  expect(answer.days).not.toEqual([])
  expect(answer.clusters[0]?.usd).toBeGreaterThan(0)
  const refused = answerScopeDays(t.db, request, { rowsReadMax: 0 })
  await expect(refused).rejects.toThrow('One day of this scope has too many workloads')
})

test.each([
  ['2026-03-01T00:00:00Z', '2026-03-02T12:00:00Z', '2026-03-02T00:00:00.000Z'],
  ['2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z', '2026-03-02T00:00:00.000Z'],
  ['2026-03-01T00:00:00Z', '2026-03-05T00:00:00Z', '2026-03-03T00:00:00.000Z'],
  ['2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z', undefined],
])('a window from %s to %s is split at %s', (from, to, middle) => {
  expect(middleDay(new Date(from), new Date(to))?.toISOString()).toBe(middle)
})
