import { BatchWriter, type RecommendationWithEvidence } from '@plimsoll/contract'
import { describe, expect, test } from 'vitest'
import { agent } from '@plimsoll/pipeline/testing'
import { foldAt, get } from '../../../test/folded-cluster.ts'
import { sendBatch } from '../../../test/send-batch.ts'
import { send } from '../../../test/test-app.ts'
import { writePast } from '../../../test/used-past.ts'
import { app, key, mib, now, podsOf, steady, useUsedWorkload } from '../../../test/used-workload.ts'
import { analyse } from './analyse.ts'

const { t, place, analysed, listed, oversized, reasons } = useUsedWorkload()

describe('after it was applied', () => {
  type After = Partial<{ oomKills: number }>

  /** Applied, and observed two days later; then the pods run like this for 12 hours. */
  async function applied(after: (hoursAfterChange: number) => After): Promise<RecommendationWithEvidence> {
    await analysed(steady)
    const [found] = await oversized()
    const apply = {
      method: 'POST' as const,
      url: `/api/v1/recommendations/${found?.id}/apply`,
      headers: place.person.bearer,
    }
    expect((await send(t, apply)).statusCode).toBe(200)
    const seen = now + 48 * 3600
    for (const [index, at] of [seen, seen + 12 * 3600].entries()) {
      t.clock.now = new Date(at * 1000)
      const writer = podsOf({ cpu_request: 105, memory_request: 717 * mib }, 2, at)
      await sendBatch(t, place.cluster.agentToken, writer.finish(agent, at), { epoch: 'epoch-1', seq: 3 + index })
      await foldAt(t, place.cluster, at)
      // `ago` counts from the hour before this analysis.
      const past = (ago: number) => after((at - seen) / 3600 - 1 - ago)
      await writePast(t, place.cluster.clusterId, { key, until: at, past: { ...steady, hour: past } })
      await analyse(t.deps, place.cluster)
    }
    return get<RecommendationWithEvidence>(t, place.person, `/api/v1/recommendations/${found?.id}`)
  }

  test('and nothing fails it is verified, with the time of its observation', async () => {
    const { verification, verification_detail: detail } = await applied(() => ({}))
    expect(verification).toBe('verified')
    expect(detail?.watch).toMatchObject({ since: { oom_kills: 0, restarts: 0 }, regressions: [] })
    expect(detail?.observed_at).toBe(new Date((now + 48 * 3600) * 1000).toISOString())
  })

  test('and containers are OOM-killed it has regressed, and the next analysis proposes the old requests', async () => {
    const { verification, verification_detail: detail } = await applied((hours) => (hours > 0 ? { oomKills: 1 } : {}))
    expect(verification).toBe('regressed')
    expect(detail).toMatchObject({
      message: 'Since the change, OOM kills rose.',
      watch: {
        until: new Date((now + (48 + 7 * 24) * 3600) * 1000).toISOString(),
        before: { oom_kills: 0 },
        since: { hours: 11, oom_kills: 11 },
        regressions: ['oom_kills'],
      },
    })
    await analyse(t.deps, place.cluster)
    expect(await listed('change_regressed')).toMatchObject([
      {
        status: 'pending',
        severity: 'critical',
        current_spec: { cpu_request: '105m', memory_request: '717Mi' },
        recommended_spec: { cpu_request: '1', memory_request: '1Gi' },
      },
    ])
  })
})

test('a new image is withheld on its first day, and sized by its own usage a day later', async () => {
  await analysed(steady, { image: 'sha256:old' })
  expect(await oversized()).toHaveLength(1)
  const rollOut = now + 600
  const at = rollOut + 20 * 3600
  const writer = new BatchWriter()
  for (const ref of [100, 101]) writer.addEnd({ ref, at: rollOut })
  const shape = { containers: [{ ...app, image: 'sha256:new' }] }
  const labels = { team: 'red' }
  const pod = { ref: 102, uid: 'web-2', from: rollOut, name: 'web-2', namespace: 'shop', nodeRef: 1, boundAt: rollOut }
  writer.addPod({ ...pod, phase: 'running', shape, workloadKind: 'Deployment', workloadName: 'web', labels })
  t.clock.now = new Date(at * 1000)
  await sendBatch(t, place.cluster.agentToken, writer.finish(agent, at), { epoch: 'epoch-1', seq: 3 })
  await foldAt(t, place.cluster, at)
  await writePast(t, place.cluster.clusterId, { key, until: at, past: steady })
  await analyse(t.deps, place.cluster)
  expect(await reasons()).toEqual(['too_fresh'])
  const later = rollOut + 30 * 3600
  t.clock.now = new Date(later * 1000)
  await sendBatch(t, place.cluster.agentToken, new BatchWriter().finish(agent, later), { epoch: 'epoch-1', seq: 4 })
  await foldAt(t, place.cluster, later)
  await writePast(t, place.cluster.clusterId, { key, until: later, past: steady })
  await analyse(t.deps, place.cluster)
  expect(await reasons()).toEqual([])
})

test('a renamed workload counts as a new one, and recommendations about the old one expire', async () => {
  await analysed(steady)
  expect(await oversized()).toHaveLength(1)
  const writer = new BatchWriter()
  writer.addEnd({ ref: 100, at: now + 60 })
  writer.addEnd({ ref: 101, at: now + 60 })
  t.clock.now = new Date((now + 3600) * 1000)
  await sendBatch(t, place.cluster.agentToken, writer.finish(agent, now + 3600), { epoch: 'epoch-1', seq: 3 })
  await foldAt(t, place.cluster, now + 3600)
  await analyse(t.deps, place.cluster)
  expect(await oversized()).toMatchObject([{ status: 'expired' }])
})
