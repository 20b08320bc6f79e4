import type { RecommendationList } from '@plimsoll/contract'
import { NO_EVIDENCE, type RuleFinding } from '@plimsoll/engine/rules'
import { describe, expect, test } from 'vitest'
import { aFinding, idsOf } from '../../test/findings.ts'
import { other, useStoredFindings } from '../../test/stored-findings.ts'
import { send } from '../../test/test-app.ts'
import { writeBackfill } from '../ingest/queries/backfills.ts'
import { noteFoldedAt } from '../ingest/queries/fold-queue.ts'
import { findEvidence } from './queries/evidence.ts'

const { t, store, analyse, find, statuses, only, shown, act, history } = useStoredFindings()
const dayMs = 86_400_000

describe('a new analysis', () => {
  test('adds the claim of a volume to an older recommendation without changing its content', async () => {
    await find(aFinding())
    const { revision, recommendation_id: id } = await only()
    const shown = async () => {
      const { body } = await send(t, { url: `/api/v1/recommendations/${id}`, headers: store.editor })
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
      const url = `/api/v1/recommendations?cluster_id=${store.clusterId}`
      const { recommendations } = (await send(t, { url, headers: store.editor })).json<RecommendationList>()
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
    await analyse({ findings: [other], credits })
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

const evidence = async () =>
  (
    await t.db
      .selectFrom('recommendation_evidence')
      .selectAll()
      .where('cluster_id', '=', store.clusterId)
      .executeTakeFirst()
  )?.written_at

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
  await analyse({ findings: [aFinding()], observedAt })
  expect(await evidence()).toEqual(observedAt)
  await find(aFinding())
  expect(await evidence()).toEqual(t.clock.now)
})

test('evidence is rewritten when more history has arrived', async () => {
  await find(aFinding())
  t.clock.advance(60_000)
  await writeBackfill(t.db, { clusterId: store.clusterId, epoch: 'past', state: Buffer.of(0), now: t.clock.now })
  t.clock.advance(60_000)
  await find(aFinding())
  expect(await evidence()).toEqual(t.clock.now)
  const written = t.clock.now
  t.clock.advance(60_000)
  await find(aFinding())
  expect(await evidence()).toEqual(written)
})

describe('more history', () => {
  const sampled = (sampleCount: number) => aFinding({ evidence: { ...NO_EVIDENCE, sampleCount } })
  const samples = async () => {
    const { recommendation_id: id } = await only()
    return (await findEvidence(t.db, store.clusterId, id))?.evidence.sample_count
  }
  const backfill = () =>
    writeBackfill(t.db, { clusterId: store.clusterId, epoch: 'past', state: Buffer.of(0), now: t.clock.now })

  test('is in the evidence although only the time of the last fold has changed', async () => {
    const observedAt = t.clock.now
    await analyse({ findings: [sampled(1)], observedAt })
    t.clock.advance(60_000)
    await backfill()
    t.clock.advance(600_000)
    await noteFoldedAt(t.db, store.clusterId, { now: t.clock.now, holder: null })
    await analyse({ findings: [sampled(2)], observedAt })
    expect(await samples()).toBe(2)
    await analyse({ findings: [sampled(3)], observedAt })
    expect(await samples()).toBe(2)
  })

  test('received during an analysis is in the evidence of the next one', async () => {
    await backfill()
    const historyReceivedAt = t.clock.now
    t.clock.advance(60_000)
    await backfill()
    await analyse({ findings: [sampled(1)], historyReceivedAt })
    await find(sampled(2))
    expect(await samples()).toBe(2)
  })
})

test.each([
  { clock: 'ahead of ours', hours: 2 },
  { clock: 'behind ours', hours: -2 },
])('a cluster whose clock is $clock has its evidence rewritten once after more history', async ({ hours }) => {
  const observe = async () => {
    const row = { cluster_id: store.clusterId, version: 1, state: Buffer.of(0), folded_at: t.clock.now }
    await t.db.insertInto('fold_checkpoint').values(row).onConflict((conflict) => conflict.column('cluster_id').doUpdateSet(row)).execute() // prettier-ignore
    const observedAt = new Date(t.clock.now.getTime() + hours * 3_600_000)
    await analyse({ findings: [aFinding()], observedAt })
    return observedAt
  }
  await observe()
  t.clock.advance(60_000)
  await writeBackfill(t.db, { clusterId: store.clusterId, epoch: 'past', state: Buffer.of(0), now: t.clock.now })
  t.clock.advance(60_000)
  const written = await observe()
  expect(await evidence()).toEqual(written)
  t.clock.advance(60_000)
  await observe()
  expect(await evidence()).toEqual(written)
})

test('thousands of findings are written at once', async () => {
  await find(...Array.from({ length: 2500 }, (_, index) => aFinding({ name: `w${index}` })))
  expect(Object.keys(await idsOf(t, store.clusterId))).toHaveLength(2500)
})
