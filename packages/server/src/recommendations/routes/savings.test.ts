import type { RecommendationList, Savings } from '@plimsoll/contract'
import type { Observation } from '@plimsoll/engine/rules'
import { beforeEach, describe, expect, test } from 'vitest'
import { aFinding, analysed, idsOf, type Analysed } from '../../../test/findings.ts'
import { get } from '../../../test/folded-cluster.ts'
import { aCluster, aPerson, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
const hourMs = 3_600_000

let person: Person
let clusterId: string
beforeEach(async () => {
  person = await aPerson(t, 'admin')
  clusterId = (await aCluster(t)).clusterId
})

const find = (found: Analysed) => analysed(t, clusterId, found)
const total = async () => (await get<Savings>(t, person, `/api/v1/savings?cluster_id=${clusterId}`)).total

async function act(name: string, action: string): Promise<void> {
  const url = `/api/v1/recommendations/${(await idsOf(t, clusterId))[name]}/${action}`
  expect((await send(t, { method: 'POST', url, headers: person.bearer })).statusCode).toBe(200)
}

const verifiedAs = (verification: string) =>
  t.db
    .updateTable('recommendation')
    .set({ verification } as object)
    .where('cluster_id', '=', clusterId)
    .where('status', '=', 'implemented')
    .execute()

const seenAs = (name: string, usd: number) =>
  t.db
    .updateTable('recommendation')
    .set({ verification: 'verified', verification_detail: JSON.stringify({ observed_savings: usd }) } as object)
    .where('cluster_id', '=', clusterId)
    .where('target_key', 'like', `%/${name}/%`)
    .execute()

test('the realized savings are dollars a month, and null without an observation', async () => {
  await find({ findings: ['open', 'done', 'more', 'unseen'].map((name) => aFinding({ name })) })
  expect(await total()).toMatchObject({ observed: 0 })
  for (const name of ['done', 'more', 'unseen']) await act(name, 'apply')
  await seenAs('done', 9)
  await seenAs('more', 3.5)
  expect(await total()).toMatchObject({ implemented: 30, observed: 12.5 })
})

test('by day, applied changes add up to the realized and promised totals', async () => {
  await find({ findings: ['first', 'second', 'open'].map((name) => aFinding({ name })) })
  await act('first', 'apply')
  const dayOf = () => t.clock.now.toISOString().slice(0, 10)
  const days = [dayOf()]
  t.clock.advance(24 * hourMs)
  // A session has expired by then.
  person = await aPerson(t, 'admin')
  await act('second', 'apply')
  days.push(dayOf())
  await seenAs('first', 9)
  await seenAs('second', 3.5)
  const { rows } = await get<Savings>(t, person, `/api/v1/savings?cluster_id=${clusterId}&by=day`)
  expect(rows).toMatchObject([
    { day: days[0], estimated: 30, implemented: 10, observed: 9 },
    { day: days[1], estimated: 0, implemented: 10, observed: 3.5 },
  ])
  expect(rows[0]).not.toHaveProperty('month')
  // Figures known by month only belong to no day, and create no day.
  await t.db
    .insertInto('savings_ledger')
    .values({
      ...{ cluster_id: clusterId, month: `${days[0]?.slice(0, 7)}-01`, namespace: 'shop', rule_id: 'gpu_idle' },
      ...{ recommendation_id: (await idsOf(t, clusterId)).first ?? '', counted_until: t.clock.now },
      ...{ verified_usd: '7', reverted_usd: '2' },
    })
    .execute()
  const periods = async (by: string) =>
    (await get<Savings>(t, person, `/api/v1/savings?cluster_id=${clusterId}&by=${by}`)).rows
  const byDay = await periods('day')
  expect(byDay.map(({ day, verified, reverted }) => [day, verified, reverted])).toEqual(
    days.map((day) => [day, null, null]),
  )
  expect((await periods('month')).map(({ verified, reverted }) => [verified, reverted])).toEqual([[7, 2]])
})

describe('a finding', () => {
  test('counts if it is open or was acted on, with its bankable savings', async () => {
    await find({ findings: ['open', 'agreed', 'done'].map((name) => aFinding({ name })) })
    await act('agreed', 'approve')
    await act('done', 'apply')
    expect(await total()).toMatchObject({
      ...{ estimated: 30, bankable: 12 },
      ...{ approved: 10, approved_bankable: 4 },
      ...{ implemented: 10, implemented_bankable: 4 },
    })
  })

  test('does not count if it was rejected or expired', async () => {
    await find({ findings: ['kept', 'refused', 'gone'].map((name) => aFinding({ name })) })
    await act('refused', 'reject')
    const gone: Observation = { kind: 'gone' }
    await find({ findings: [aFinding({ name: 'kept' })], observed: { 'Deployment/shop/gone/app': gone } })
    expect(await total()).toMatchObject({ estimated: 10, bankable: 4 })
  })

  test.each([
    { what: 'was reverted', verification: 'reverted', estimated: 10, left: 10 },
    { what: 'was never observed', verification: 'not_observed', estimated: 10, left: 10 },
    { what: 'was verified, and could be lowered further,', verification: 'verified', estimated: 20, left: 0 },
  ])('and $what counts $estimated dollars when it is found again', async ({ verification, estimated, left }) => {
    await find({ findings: [aFinding()] })
    await act('web', 'apply')
    await verifiedAs(verification)
    t.clock.advance(hourMs)
    await find({ findings: [aFinding({ basis: 'asks for less by now' })] })
    const { rows } = await listStatuses()
    expect(rows).toEqual(['implemented', 'pending'])
    expect(await total()).toMatchObject({ estimated, implemented: 10, left_out: left })
    expect(estimated + left).toBe(await listed())
  })

  test('counts, with the omitted ones, as all that is open, approved or applied', async () => {
    await find({ findings: ['open', 'agreed', 'done', 'undone', 'refused'].map((name) => aFinding({ name })) })
    await act('undone', 'apply')
    await verifiedAs('reverted')
    await act('agreed', 'approve')
    await act('done', 'apply')
    await act('refused', 'reject')
    const { estimated, left_out: left } = await total()
    expect([estimated, left]).toEqual([30, 10])
    expect(estimated + left).toBe(await listed())
  })

  test('does not count if it was reverted, found again and then rejected', async () => {
    await find({ findings: [aFinding()] })
    await act('web', 'apply')
    await verifiedAs('reverted')
    t.clock.advance(hourMs)
    await find({ findings: [aFinding()] })
    await act('web', 'reject')
    expect((await listStatuses()).rows).toEqual(['implemented', 'rejected'])
    expect(await total()).toMatchObject({ estimated: 0, bankable: 0 })
  })

  test('without known bankable savings still counts as estimated', async () => {
    await find({ findings: [aFinding({ bankableUsdPerMonth: null })] })
    expect(await total()).toMatchObject({ estimated: 10, bankable: 0 })
  })
})

/** The list total of all open, approved or applied ones. */
async function listed(): Promise<number> {
  const { totals } = await get<RecommendationList>(t, person, `/api/v1/recommendations?cluster_id=${clusterId}`)
  const states = ['pending', 'approved', 'implemented', 'resolved'] as const
  return states.reduce((sum, state) => sum + totals[state].estimated_savings, 0)
}

async function listStatuses() {
  const found = await t.db.selectFrom('recommendation').select('status').where('cluster_id', '=', clusterId).execute()
  return { rows: found.map(({ status }) => status).sort() }
}
