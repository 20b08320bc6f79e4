import type { RecommendationList, RecommendationStatus, RecommendationWithEvidence } from '@plimsoll/contract'
import { NO_EVIDENCE, type Observation, type RuleFinding, type RuleWithheld } from '@plimsoll/engine/rules'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aFinding, analysed, idsOf } from '../../test/findings.ts'
import { aCluster, anApiKey, aPerson } from '../../test/people.ts'
import { expectProblem } from '../../test/promises.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { writeBackfill } from '../ingest/queries/backfills.ts'
import { findEvidence } from './queries/evidence.ts'
import { noteFoldedAt } from '../ingest/queries/fold-queue.ts'
import { listHistory } from './queries/recommendation-history.ts'
import { suppress, suppressedUntil } from './queries/suppressions.ts'

const t = useTestApp()
const dayMs = 86_400_000

/** A key, because a token would expire during the simulated months. */
let editor: Record<string, string>
let clusterId: string
beforeAll(async () => {
  editor = (await anApiKey(t, (await aPerson(t, 'editor')).userId)).header
})
beforeEach(async () => {
  clusterId = (await aCluster(t)).clusterId
})

const find = (...findings: RuleFinding[]) => analysed(t, clusterId, { findings })

const stored = () =>
  t.db.selectFrom('recommendation').selectAll().where('cluster_id', '=', clusterId).orderBy('created_at').execute()

const statuses = async () => (await stored()).map(({ status }) => status)

async function only() {
  const rows = await stored()
  expect(rows).toHaveLength(1)
  return rows[0] ?? expect.fail('nothing is stored')
}

async function shown(): Promise<RecommendationWithEvidence> {
  const { recommendation_id: id } = await only()
  return (await send(t, { url: `/api/v1/recommendations/${id}`, headers: editor })).json()
}

async function act(action: string): Promise<void> {
  const id = (await stored()).at(-1)?.recommendation_id
  const url = `/api/v1/recommendations/${id}/${action}`
  expect((await send(t, { method: 'POST', url, headers: editor })).statusCode).toBe(200)
}

const history = async () => {
  const [row] = await stored()
  return (await listHistory(t.db, clusterId, row?.recommendation_id ?? '')).map(({ action }) => action)
}

const other = aFinding({ recommendedSpec: { cpuMillicores: 250, memoryKib: 256 * 1024 }, estimatedUsdPerMonth: 14 })
const seenAs = (cpuMillicores: number, mib: number): Extract<Observation, { kind: 'seen' }> => ({
  kind: 'seen',
  cpuMillicores,
  memoryKib: mib * 1024,
  replicas: 1,
  price: null,
})
const web = 'Deployment/shop/web/app'

describe('a new analysis', () => {
  test('adds the claim of a volume to an older recommendation without changing its content', async () => {
    await find(aFinding())
    const { revision, recommendation_id: id } = await only()
    const shown = async () => {
      const { body } = await send(t, { url: `/api/v1/recommendations/${id}`, headers: editor })
      return (JSON.parse(body) as { volume_claim: string | null }).volume_claim
    }
    expect(await shown()).toBeNull()
    await find({ ...aFinding(), claim: 'shop/data' } as RuleFinding)
    expect(await shown()).toBe('shop/data')
    expect((await only()).revision).toBe(revision)
    expect(await history()).toEqual(['found'])
  })

  test('keeps id, age and history of a finding, and writes nothing without a difference', async () => {
    await find(aFinding())
    const before = await only()
    t.clock.advance(3_600_000)
    await find(aFinding())
    expect(await only()).toEqual(before)
    expect(await history()).toEqual(['found'])
  })

  test('updates a pending recommendation and records it', async () => {
    await find(aFinding())
    await find(other)
    expect(await only()).toMatchObject({
      revision: 2,
      estimated_savings: '14.000000',
      content: { recommended: { cpuMillicores: 250 } },
    })
    expect(await history()).toEqual(['found', 'updated'])
  })

  test('follows changed savings without a new revision', async () => {
    await find(aFinding())
    await find(aFinding({ estimatedUsdPerMonth: 11 }))
    expect(await only()).toMatchObject({ revision: 1, estimated_savings: '11.000000' })
    expect(await history()).toEqual(['found'])
  })

  test('keeps an approved recommendation, and stores its current content as drift', async () => {
    await find(aFinding())
    await act('approve')
    await find(other)
    expect(await only()).toMatchObject({
      status: 'approved',
      estimated_savings: '10.000000',
      content: { recommended: { cpuMillicores: 500 } },
      drift: {
        kind: 'differs',
        recommended_spec: { cpu_request: '250m', memory_request: '256Mi' },
        estimated_savings: 14,
      },
    })
    await find(aFinding())
    expect((await only()).drift).toBeNull()
    await find()
    expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
  })

  test('stores why bankable and estimated savings differ, and drops a reason of another figure', async () => {
    const because = async () => {
      const url = `/api/v1/recommendations?cluster_id=${clusterId}`
      const { recommendations } = (await send(t, { url, headers: editor })).json<RecommendationList>()
      return recommendations.map((row) => [row.bankable_savings, row.bankable_because])
    }
    await find(aFinding({ bankableBecause: 'Half of it stays.' }))
    expect(await because()).toEqual([[4, 'Half of it stays.']])
    const { revision } = await only()
    await act('approve')
    await find(aFinding({ bankableUsdPerMonth: 12, bankableBecause: 'A whole node goes.' }))
    expect(await because()).toEqual([[12, 'A whole node goes.']])
    expect(await only()).toMatchObject({ revision: revision + 1, drift: null })
    // Its evidence stays as approved, but has the same reason as the row.
    expect((await shown()).evidence?.bankable_because).toBe('A whole node goes.')
    // It is less than the approved estimate.
    await find(
      aFinding({ estimatedUsdPerMonth: 2, bankableUsdPerMonth: 4, bankableBecause: 'More goes than it frees.' }),
    )
    expect(await because()).toEqual([[4, null]])
    const credits = new Map([['container_overprovisioned Deployment/shop/web/app', 3]])
    await analysed(t, clusterId, { findings: [other], credits })
    expect(await because()).toEqual([[3, null]])
  })

  test('never creates a second open recommendation for a target and a rule', async () => {
    await find(aFinding(), aFinding())
    await find(aFinding())
    expect(await statuses()).toEqual(['pending'])
    await find(aFinding(), aFinding({ ruleId: 'requests_missing' }))
    expect(await statuses()).toEqual(['pending', 'pending'])
  })
})

describe('a recommendation that is no longer found', () => {
  test.each<{ name: string; observed: Observation; to: RecommendationStatus; verification: string | null }>([
    { name: 'was applied as recommended', observed: seenAs(500, 512), to: 'resolved', verification: 'verified' },
    { name: 'was applied with lower values', observed: seenAs(300, 256), to: 'resolved', verification: 'verified' },
    { name: 'was partially applied', observed: seenAs(500, 1024), to: 'expired', verification: null },
    { name: 'no longer applies', observed: seenAs(1000, 1024), to: 'expired', verification: null },
    { name: 'concerns a deleted object', observed: { kind: 'gone' }, to: 'expired', verification: null },
  ])('and $name is $to', async ({ observed, to, verification }) => {
    await find(aFinding())
    await analysed(t, clusterId, { observed: { [web]: observed } })
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
    await analysed(t, clusterId, { findings: [next], observed: { [web]: seenAs(500, 512) } })
    expect(await statuses()).toEqual(['resolved', 'pending'])
  })

  test('and replaced by another one about the same target is superseded', async () => {
    await find(aFinding())
    t.clock.advance(1000)
    await find(aFinding({ ruleId: 'container_underprovisioned' }))
    expect(await statuses()).toEqual(['superseded', 'pending'])
  })

  test('stays for two weeks while the rule cannot judge it', async () => {
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
      await analysed(t, clusterId, { withheld })
    }
    expect(await statuses()).toEqual(['expired'])
  })

  test('for a while and then found again restarts its period', async () => {
    const unknown = { observed: { [web]: { kind: 'unknown' as const } } }
    await find(aFinding())
    await analysed(t, clusterId, unknown)
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
    await analysed(t, clusterId, { observed: { 'PersistentVolume//pv-1/': { kind: 'gone' } } })
    expect(await statuses()).toEqual(['resolved'])
  })

  test('because a node was replaced is not credited: another node may have its place', async () => {
    const target = { kind: 'Node', namespace: '', name: 'node-1', container: '' }
    const change = { action: 'delete' as const, object: target, summary: 'Remove it.', fields: [] }
    await find({ ...aFinding(), target, change, workload: null, currentSpec: null, recommendedSpec: null })
    await analysed(t, clusterId, { observed: { 'Node//node-1/': { kind: 'gone' } } })
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
      await analysed(t, clusterId, { observed: { [web]: { ...seenAs(1000, 1024), replicas: 0 } } })
      expect(await only()).toMatchObject({ status: 'pending', verification: null, missing_since: t.clock.now })
      await analysed(t, clusterId, { observed: { [web]: seenAs(1000, 1024) } })
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
    const url = `/api/v1/recommendations/withheld?cluster_id=${clusterId}`
    expect((await send(t, { url, headers: editor })).json()).toMatchObject({
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
    expectProblem(await send(t, { method: 'POST', url, headers: editor }), 'recommendation_state')
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
      .where('cluster_id', '=', clusterId)
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
    const url = `/api/v1/recommendations/withheld?cluster_id=${clusterId}`
    expect((await send(t, { url, headers: editor })).json()).toMatchObject({ withheld: [{ reason: 'taken_back' }] })
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

const evidence = async () =>
  (await t.db.selectFrom('recommendation_evidence').selectAll().where('cluster_id', '=', clusterId).executeTakeFirst())
    ?.written_at

test('evidence is written with a change, and once a day', async () => {
  await find(aFinding())
  const first = t.clock.now
  t.clock.advance(3_600_000)
  await find(aFinding())
  expect(await evidence()).toEqual(first)
  await find(other)
  expect(await evidence()).toEqual(t.clock.now)
  t.clock.advance(25 * 3_600_000)
  await find(other)
  expect(await evidence()).toEqual(t.clock.now)
})

test('a larger change of the savings gets new evidence', async () => {
  await find(aFinding())
  const first = t.clock.now
  t.clock.advance(3_600_000)
  await find(aFinding({ estimatedUsdPerMonth: 10.9 }))
  expect(await evidence()).toEqual(first)
  await find(aFinding({ estimatedUsdPerMonth: 30 }))
  expect(await evidence()).toEqual(t.clock.now)
})

test('evidence of an old snapshot is rewritten with a newer one', async () => {
  const observedAt = new Date(t.clock.now.getTime() - 4 * dayMs)
  await analysed(t, clusterId, { findings: [aFinding()], observedAt })
  expect(await evidence()).toEqual(observedAt)
  await find(aFinding())
  expect(await evidence()).toEqual(t.clock.now)
})

test('evidence is rewritten when more history has arrived', async () => {
  await find(aFinding())
  t.clock.advance(60_000)
  await writeBackfill(t.db, { clusterId, epoch: 'past', state: Buffer.of(0), now: t.clock.now })
  t.clock.advance(60_000)
  await find(aFinding())
  expect(await evidence()).toEqual(t.clock.now)
  const written = t.clock.now
  t.clock.advance(60_000)
  await find(aFinding())
  expect(await evidence()).toEqual(written)
})

describe('an open recommendation whose rule returns', () => {
  const withheldAs = (reason: RuleWithheld['reason']) => {
    const { ruleId, target } = aFinding()
    return [{ kind: 'withheld' as const, ruleId, target, reason, detail: `It is ${reason}.`, unlock: '' }]
  }

  test.each(['saving_too_small', 'excluded', 'ignored', 'system_namespace', 'managed_by', 'autoscaled'] as const)(
    '%s is closed by that analysis with the reason',
    async (reason) => {
      await find(aFinding())
      await analysed(t, clusterId, { withheld: withheldAs(reason) })
      expect(await statuses()).toEqual(['expired'])
      const entries = await listHistory(t.db, clusterId, (await only()).recommendation_id)
      expect(entries.at(-1)).toMatchObject({ action: 'expired', reason: `It is ${reason}.` })
    },
  )

  test('a deletable workload is superseded, so that both never save more than its cost', async () => {
    await find(aFinding())
    const target = { ...aFinding().target, container: '' }
    const goes = { ...aFinding({ ruleId: 'workload_abandoned', estimatedUsdPerMonth: 11 }), target }
    await analysed(t, clusterId, { findings: [goes], withheld: withheldAs('idle_workload') })
    const open = (await stored()).filter(({ status }) => status === 'pending')
    expect(open).toMatchObject([{ rule_id: 'workload_abandoned', estimated_savings: '11.000000' }])
    expect((await statuses()).sort()).toEqual(['pending', 'superseded'])
  })

  test('a deletable workload stays approved if it was approved', async () => {
    await find(aFinding())
    await act('approve')
    await analysed(t, clusterId, { withheld: withheldAs('idle_workload') })
    expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
  })

  test('an exclusion does not count as applied, and is closed even without a running pod', async () => {
    const { change } = aFinding()
    await find(aFinding({ change: { ...change, action: 'set_labels' } }))
    const observed = { [web]: { ...seenAs(1000, 1024), replicas: 0 } }
    await analysed(t, clusterId, { withheld: withheldAs('ignored'), observed })
    expect(await only()).toMatchObject({ status: 'expired', verification: null })
  })

  test.each(['too_little_history', 'cannot_move', 'too_spiky', 'restarting'] as const)(
    '%s stays for a while, and is the same when it is found again',
    async (reason) => {
      await find(aFinding())
      const { recommendation_id: id } = await only()
      await analysed(t, clusterId, { withheld: withheldAs(reason) })
      expect(await only()).toMatchObject({ status: 'pending', missing_since: t.clock.now })
      t.clock.advance(3_600_000)
      await find(aFinding())
      expect(await only()).toMatchObject({ recommendation_id: id, status: 'pending', missing_since: null })
      await analysed(t, clusterId, { withheld: withheldAs(reason) })
      t.clock.advance(15 * dayMs)
      await analysed(t, clusterId, { withheld: withheldAs(reason) })
      expect(await statuses()).toEqual(['expired'])
    },
  )

  test.each(['pending', 'approved'] as const)(
    'cannot_move has no bankable savings meanwhile and is not severe, %s or not, and says so',
    async (status) => {
      const bankable = async () => {
        const { bankable_savings: usd, bankable_because: because, severity, evidence } = await shown()
        return [usd, because, evidence?.bankable_because, severity, (await only()).severity_rank]
      }
      const found = aFinding({ bankableBecause: 'Half of it stays.' })
      const nothing = expect.stringMatching(/^The bill does not drop now: none of these nodes can be drained/) as string
      await find(found)
      if (status === 'approved') await act('approve')
      await analysed(t, clusterId, { withheld: withheldAs('cannot_move') })
      expect(await only()).toMatchObject({ status, estimated_savings: '10.000000' })
      expect(await bankable()).toEqual([0, nothing, nothing, 'low', 1])
      await analysed(t, clusterId, { withheld: withheldAs('cannot_move') })
      expect(await bankable()).toEqual([0, nothing, nothing, 'low', 1])
      await find(found)
      expect(await bankable()).toEqual([4, 'Half of it stays.', 'Half of it stays.', 'medium', 2])
    },
  )

  describe('nothing, or nothing for now, still has the severity of its bankable savings', () => {
    const creditOf = (usd: number) => ({ credits: new Map([[`container_overprovisioned ${web}`, usd]]) })
    const severityOf = async () => {
      const { bankable_savings: usd, severity, severity_rank: rank } = await only()
      return [Number(usd), severity, rank]
    }

    test('less, once an approved one is no longer found', async () => {
      await find(aFinding({ severity: 'high' }))
      await act('approve')
      await analysed(t, clusterId, { ...creditOf(4), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([4, 'high', 3])
      await analysed(t, clusterId, { ...creditOf(0), clusterUsdPerMonth: 100 })
      expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
      expect(await severityOf()).toEqual([0, 'low', 1])
    })

    test('more, once its nodes can be drained again', async () => {
      await find(aFinding())
      await analysed(t, clusterId, { withheld: withheldAs('cannot_move'), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([0, 'low', 1])
      const withheld = withheldAs('too_little_history')
      await analysed(t, clusterId, { withheld, ...creditOf(4), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([4, 'high', 3])
    })

    test('critical at any cost, if something is broken', async () => {
      const finding = aFinding({
        severity: 'critical',
        isUrgent: true,
        estimatedUsdPerMonth: -2,
        bankableUsdPerMonth: 0,
      })
      await find(finding)
      await act('approve')
      await analysed(t, clusterId, { ...creditOf(-1), clusterUsdPerMonth: 100 })
      expect(await severityOf()).toEqual([-1, 'critical', 4])
    })
  })

  test('too_little_history does not change bankable savings, unless the nodes could not be drained: then they are unknown', async () => {
    await find(aFinding())
    await analysed(t, clusterId, { withheld: withheldAs('too_little_history') })
    expect(await only()).toMatchObject({ bankable_savings: '4.000000' })
    await analysed(t, clusterId, { withheld: withheldAs('cannot_move') })
    await analysed(t, clusterId, { withheld: withheldAs('too_little_history') })
    const { bankable_savings: usd, content, severity } = await only()
    expect([usd, content.bankableBecause, severity]).toEqual([null, undefined, 'low'])
  })

  test('too_little_history changes no figure of an approved recommendation and adds no note', async () => {
    await find(aFinding())
    await act('approve')
    await analysed(t, clusterId, { withheld: withheldAs('cannot_move') })
    await analysed(t, clusterId, { withheld: withheldAs('too_little_history') })
    const { bankable_savings: bankable, estimated_savings: estimated, drift } = await only()
    expect([Number(bankable), estimated, drift]).toEqual([0, '10.000000', null])
  })

  test('an exclusion stays approved if it was approved, because a user decided both', async () => {
    await find(aFinding())
    await act('approve')
    await analysed(t, clusterId, { withheld: withheldAs('excluded') })
    expect(await only()).toMatchObject({ status: 'approved', drift: { kind: 'no_longer_found' } })
  })
})

describe('more history', () => {
  const sampled = (sampleCount: number) => aFinding({ evidence: { ...NO_EVIDENCE, sampleCount } })
  const samples = async () => {
    const { recommendation_id: id } = await only()
    return (await findEvidence(t.db, clusterId, id))?.evidence.sample_count
  }
  const backfill = () => writeBackfill(t.db, { clusterId, epoch: 'past', state: Buffer.of(0), now: t.clock.now })

  test('is in the evidence although only the time of the last fold has changed', async () => {
    const observedAt = t.clock.now
    await analysed(t, clusterId, { findings: [sampled(1)], observedAt })
    t.clock.advance(60_000)
    await backfill()
    t.clock.advance(600_000)
    await noteFoldedAt(t.db, clusterId, { now: t.clock.now, holder: null })
    await analysed(t, clusterId, { findings: [sampled(2)], observedAt })
    expect(await samples()).toBe(2)
    await analysed(t, clusterId, { findings: [sampled(3)], observedAt })
    expect(await samples()).toBe(2)
  })

  test('received during an analysis is in the evidence of the next one', async () => {
    await backfill()
    const historyReceivedAt = t.clock.now
    t.clock.advance(60_000)
    await backfill()
    await analysed(t, clusterId, { findings: [sampled(1)], historyReceivedAt })
    await find(sampled(2))
    expect(await samples()).toBe(2)
  })
})

test.each([
  { clock: 'ahead of ours', hours: 2 },
  { clock: 'behind ours', hours: -2 },
])('a cluster whose clock is $clock has its evidence rewritten once after more history', async ({ hours }) => {
  const observe = async () => {
    const row = { cluster_id: clusterId, version: 1, state: Buffer.of(0), folded_at: t.clock.now }
    await t.db.insertInto('fold_checkpoint').values(row).onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(row)).execute() // prettier-ignore
    const observedAt = new Date(t.clock.now.getTime() + hours * 3_600_000)
    await analysed(t, clusterId, { findings: [aFinding()], observedAt })
    return observedAt
  }
  await observe()
  t.clock.advance(60_000)
  await writeBackfill(t.db, { clusterId, epoch: 'past', state: Buffer.of(0), now: t.clock.now })
  t.clock.advance(60_000)
  const written = await observe()
  expect(await evidence()).toEqual(written)
  t.clock.advance(60_000)
  await observe()
  expect(await evidence()).toEqual(written)
})

test('thousands of findings are written at once', async () => {
  await find(...Array.from({ length: 2500 }, (_, index) => aFinding({ name: `w${index}` })))
  expect(Object.keys(await idsOf(t, clusterId))).toHaveLength(2500)
})
