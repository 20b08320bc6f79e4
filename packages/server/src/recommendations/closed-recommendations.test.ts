import type { RecommendationStatus } from '@plimsoll/contract'
import type { Observation } from '@plimsoll/engine/rules'
import { beforeEach, describe, expect, test } from 'vitest'
import { aFinding } from '../../test/findings.ts'
import { expectProblem } from '../../test/promises.ts'
import { seenAs, useStoredFindings, web } from '../../test/stored-findings.ts'
import { send } from '../../test/test-app.ts'
import { suppress, suppressedUntil } from './queries/suppressions.ts'

const { t, store, analyse, find, statuses, only, shown, act, history } = useStoredFindings()
const dayMs = 86_400_000

describe('a recommendation that is no longer found', () => {
  test.each<{ name: string; observed: Observation; to: RecommendationStatus; verification: string | null }>([
    { name: 'was applied as recommended', observed: seenAs(500, 512), to: 'resolved', verification: 'verified' },
    { name: 'was applied with lower values', observed: seenAs(300, 256), to: 'resolved', verification: 'verified' },
    { name: 'was partially applied', observed: seenAs(500, 1024), to: 'expired', verification: null },
    { name: 'no longer applies', observed: seenAs(1000, 1024), to: 'expired', verification: null },
    { name: 'concerns a deleted object', observed: { kind: 'gone' }, to: 'expired', verification: null },
  ])('and $name is $to', async ({ observed, to, verification }) => {
    await find(aFinding())
    await analyse({ observed: { [web]: observed } })
    expect(await only()).toMatchObject({ status: to, verification })
    expect(await history()).toEqual(['found', to])
  })

  test('because it was applied is resolved, even if the rule proposes the next step', async () => {
    await find(aFinding())
    const next = aFinding({
      currentSpec: { cpuMillicores: 500, memoryKib: 512 * 1024 },
      recommendedSpec: { cpuMillicores: 400, memoryKib: 400 * 1024 },
    })
    t.clock.advance(1000)
    await analyse({ findings: [next], observed: { [web]: seenAs(500, 512) } })
    expect(await statuses()).toEqual(['resolved', 'pending'])
  })

  test('and replaced by another one about the same target is superseded', async () => {
    await find(aFinding())
    t.clock.advance(1000)
    await find(aFinding({ ruleId: 'container_underprovisioned' }))
    expect(await statuses()).toEqual(['superseded', 'pending'])
  })

  test('stays for two weeks while the rule cannot evaluate it', async () => {
    const withheld = [
      {
        kind: 'withheld' as const,
        ruleId: 'container_overprovisioned',
        target: null,
        reason: 'no_source' as const,
        detail: '',
        unlock: '',
      },
    ]
    await find(aFinding())
    for (const days of [0, 13, 2]) {
      expect(await statuses()).toEqual(['pending'])
      t.clock.advance(days * dayMs)
      await analyse({ withheld })
    }
    expect(await statuses()).toEqual(['expired'])
  })

  test('for a while and then found again restarts its period', async () => {
    const unknown = { observed: { [web]: { kind: 'unknown' as const } } }
    await find(aFinding())
    await analyse(unknown)
    expect((await only()).missing_since).toEqual(t.clock.now)
    expect((await shown()).unconfirmed_since).toBe(t.clock.now.toISOString())
    await find(aFinding())
    expect((await only()).missing_since).toBeNull()
    expect((await shown()).unconfirmed_since).toBeNull()
  })

  test('and proposes a deletion is resolved when the object is deleted', async () => {
    const target = { kind: 'PersistentVolume', namespace: '', name: 'pv-1', container: '' }
    const change = { action: 'delete' as const, object: target, summary: 'Delete it.', fields: [] }
    await find({ ...aFinding(), target, change, workload: null, currentSpec: null, recommendedSpec: null })
    await analyse({ observed: { 'PersistentVolume//pv-1/': { kind: 'gone' } } })
    expect(await statuses()).toEqual(['resolved'])
  })

  test('because a node was replaced is not credited: another node may have its place', async () => {
    const target = { kind: 'Node', namespace: '', name: 'node-1', container: '' }
    const change = { action: 'delete' as const, object: target, summary: 'Remove it.', fields: [] }
    await find({ ...aFinding(), target, change, workload: null, currentSpec: null, recommendedSpec: null })
    await analyse({ observed: { 'Node//node-1/': { kind: 'gone' } } })
    expect(await only()).toMatchObject({ status: 'expired', verification: null })
  })

  test.each(['set_replicas', 'reconfigure', 'investigate'] as const)(
    'and asked to %s is not credited: load may have grown',
    async (action) => {
      const { change } = aFinding()
      await find(aFinding({ change: { ...change, action } }))
      await find()
      expect(await only()).toMatchObject({ status: 'expired', verification: null })
    },
  )

  test.each(['set_labels', 'set_limits'] as const)(
    'and asked to %s was applied, unless no running pod could show it',
    async (action) => {
      const { change } = aFinding()
      await find(aFinding({ change: { ...change, action } }))
      await analyse({ observed: { [web]: { ...seenAs(1000, 1024), replicas: 0 } } })
      expect(await only()).toMatchObject({ status: 'pending', verification: null, missing_since: t.clock.now })
      await analyse({ observed: { [web]: seenAs(1000, 1024) } })
      expect(await only()).toMatchObject({ status: 'resolved', verification: 'verified' })
    },
  )

  test('although approved stays approved for 90 days', async () => {
    await find(aFinding())
    await act('approve')
    await find()
    t.clock.advance(89 * dayMs)
    await find()
    expect(await statuses()).toEqual(['approved'])
    t.clock.advance(2 * dayMs)
    await find()
    expect(await statuses()).toEqual(['expired'])
  })
})

test('a recommendation approved 90 days ago and still found expires, and is created again', async () => {
  await find(aFinding())
  await act('approve')
  t.clock.advance(89 * dayMs)
  await find(aFinding())
  expect(await statuses()).toEqual(['approved'])
  t.clock.advance(2 * dayMs)
  await find(aFinding())
  expect(await statuses()).toEqual(['expired', 'pending'])
})

describe('a rejected recommendation', () => {
  beforeEach(async () => {
    await find(aFinding())
    await act('reject')
  })

  test('is not repeated for 30 days, and is listed as withheld', async () => {
    t.clock.advance(29 * dayMs)
    await find(aFinding({ estimatedUsdPerMonth: 14.99 }))
    expect(await statuses()).toEqual(['rejected'])
    const url = `/api/v1/recommendations/withheld?cluster_id=${store.clusterId}`
    expect((await send(t, { url, headers: store.editor })).json()).toMatchObject({
      withheld: [{ reason: 'rejected' }],
    })
    t.clock.advance(2 * dayMs)
    await find(aFinding())
    expect(await statuses()).toEqual(['rejected', 'pending'])
  })

  test('is repeated when the workload has changed', async () => {
    t.clock.advance(1000)
    await find(aFinding({ basis: 'with twice as many replicas' }))
    expect(await statuses()).toEqual(['rejected', 'pending'])
  })

  test('is repeated when the savings have grown by half', async () => {
    t.clock.advance(1000)
    await find(aFinding({ estimatedUsdPerMonth: 15 }))
    expect(await statuses()).toEqual(['rejected', 'pending'])
  })

  test('does not suppress another rule or target', async () => {
    t.clock.advance(1000)
    await find(aFinding({ ruleId: 'requests_missing' }), aFinding({ name: 'api' }))
    expect((await statuses()).sort()).toEqual(['pending', 'pending', 'rejected'])
  })

  test('can be reopened, and is then found as before', async () => {
    await act('reopen')
    await find(aFinding())
    expect(await statuses()).toEqual(['pending'])
    await act('reject')
    await find(aFinding())
    expect(await statuses()).toEqual(['rejected'])
  })

  test('cannot be reopened while a newer one is open', async () => {
    const rejected = (await only()).recommendation_id
    t.clock.advance(31 * dayMs)
    await find(aFinding())
    const url = `/api/v1/recommendations/${rejected}/reopen`
    expectProblem(await send(t, { method: 'POST', url, headers: store.editor }), 'recommendation_state')
    expect(await statuses()).toEqual(['rejected', 'pending'])
  })
})

test('an applied recommendation is not repeated while it waits to be observed', async () => {
  await find(aFinding())
  await act('apply')
  await find(aFinding())
  expect(await statuses()).toEqual(['implemented'])
})

describe('an applied and reverted recommendation', () => {
  const nextStep = aFinding({ basis: 'after it was done' })
  /** Applied, the next step was found, and then it was reverted. */
  beforeEach(async () => {
    await find(aFinding())
    await act('apply')
    const done = await only()
    await t.db
      .updateTable('recommendation')
      .set({ verification: 'verified' })
      .where('cluster_id', '=', store.clusterId)
      .execute()
    t.clock.advance(1000)
    await find(nextStep)
    await t.db
      .updateTable('recommendation')
      .set({ verification: 'reverted' })
      .where('recommendation_id', '=', done.recommendation_id)
      .execute()
    await suppress(t.db, [done], suppressedUntil(t.clock.now))
  })

  test('is not repeated by its former next step', async () => {
    expect(await statuses()).toEqual(['implemented', 'pending'])
    await find(aFinding())
    expect(await statuses()).toEqual(['implemented', 'superseded'])
    const url = `/api/v1/recommendations/withheld?cluster_id=${store.clusterId}`
    expect((await send(t, { url, headers: store.editor })).json()).toMatchObject({
      withheld: [{ reason: 'taken_back' }],
    })
    await find(aFinding())
    expect(await statuses()).toEqual(['implemented', 'superseded'])
  })

  test('keeps its next step if that is approved, or still holds', async () => {
    await find(nextStep)
    expect(await statuses()).toEqual(['implemented', 'pending'])
    await act('approve')
    await find(aFinding())
    expect(await statuses()).toEqual(['implemented', 'approved'])
  })
})
