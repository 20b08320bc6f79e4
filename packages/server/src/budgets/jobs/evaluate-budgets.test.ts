import type { Budget } from '@plimsoll/contract'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { beforeEach, expect, test, vi } from 'vitest'
import { aReadCluster } from '../../../test/folded-cluster.ts'
import { aPerson, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { countDays } from '../count-days.ts'
import { deleteOldDays } from '../delete-old-days.ts'
import { isWaitingForLock } from '../../../test/waiting-for-lock.ts'
import { patience } from '../../../test/patience.ts'
import { listNewHours, noteCounted } from '../queries/budget-state.ts'
import { listBudgets, writePeriods } from '../queries/budgets.ts'
import { evaluateBudgets } from './evaluate-budgets.ts'

const t = useTestApp()
let admin: Person
let clusterId: string

beforeEach(async () => {
  clusterId = (await aReadCluster(t, twoNodesWithCloudResources)).clusterId
  t.clock.now = new Date(endSecond * 1000)
  admin = await aPerson(t)
  await t.db.deleteFrom('budget').execute()
})

const write = (method: 'POST' | 'PUT' | 'PATCH', url: string, body: object) =>
  send(t, { method, url: `/api/v1${url}`, body, headers: admin.bearer })

async function create(scope: object, share = false): Promise<string> {
  const name = `budget ${Math.random()}`
  const response = await write('POST', '/budgets', { name, period: 'month', amount: 1, scope, share })
  expect(response.statusCode, response.body).toBe(201)
  return response.json<Budget>().id
}

const daysOf = async (budgetId: string) =>
  (await t.db.selectFrom('budget_day').select('usd').where('budget_id', '=', budgetId).execute()).map(({ usd }) => usd)

/** A sum that stays if the day is not summed up again. */
const falsify = () => t.db.updateTable('budget_day').set({ usd: '77' }).execute()
const isFalse = async (budgetId: string) => (await daysOf(budgetId)).every((usd) => usd === '77')

test('a budget has no rows for days without cost and for clusters outside its scope', async () => {
  const [nothing, elsewhere, shop] = [
    await create({ namespaces: ['nowhere'] }),
    await create({ clusters: ['cls_unknown'] }),
    await create({ clusters: [clusterId], namespaces: ['shop'] }),
  ]
  await evaluateBudgets(t.deps)
  expect([await daysOf(nothing), await daysOf(elsewhere)]).toEqual([[], []])
  expect(await daysOf(shop)).not.toEqual([])
})

test('sums of days that no period needs are deleted', async () => {
  const budget = await create({})
  await evaluateBudgets(t.deps)
  await deleteOldDays(t.db, t.clock.now)
  expect(await daysOf(budget)).not.toEqual([])
  await deleteOldDays(t.db, new Date(t.clock.now.getTime() + 401 * 86_400_000))
  expect(await daysOf(budget)).toEqual([])
})

test('an evaluation that began before an edit does not overwrite the sums of the new scope', async () => {
  const budget = await create({})
  const [budgets, newHours] = [await listBudgets(t.db), { clusterIds: null, horizon: '0' }]
  await write('PATCH', `/budgets/${budget}`, { scope: { namespaces: ['shop'] } })
  await evaluateBudgets(t.deps)
  const sums = await daysOf(budget)
  const { isComplete } = await countDays(t.db, { budgets, mapping: 0, newHours, now: t.clock.now })
  expect(isComplete).toBe(false)
  expect(await daysOf(budget)).toEqual(sums)
})

test('a new mapping of teams changes only the sums of budgets with teams', async () => {
  const [shop, unowned] = [await create({ namespaces: ['shop'] }), await create({ teams: ['__none__'] })]
  await evaluateBudgets(t.deps)
  await falsify()
  expect((await write('PUT', '/team-mapping', { rules: [{ team: 'red', namespace: 'shop' }] })).statusCode).toBe(200)
  await evaluateBudgets(t.deps)
  expect([await isFalse(shop), await isFalse(unowned)]).toEqual([true, false])
})

test('new rules of sharing change the sums of budgets that count shared cost', async () => {
  const [own, shared] = [await create({ namespaces: ['shop'] }), await create({ namespaces: ['shop'] }, true)]
  await evaluateBudgets(t.deps)
  await falsify()
  const rules = { idle: 'none', overhead: 'none', namespaces: [], namespaces_by: 'even' }
  expect((await write('PUT', '/cost-sharing', rules)).statusCode).toBe(200)
  await evaluateBudgets(t.deps)
  expect([await isFalse(own), await isFalse(shared)]).toEqual([true, false])
})

test('hours are read again after an event, and not every five minutes', async () => {
  const budget = await create({})
  await evaluateBudgets(t.deps)
  await falsify()
  await sql`update folded_hour set revision = revision + 1`.execute(t.db)
  // Events of transactions that overlap with others of the machine may be read twice.
  await sql`delete from event`.execute(t.db)
  await evaluateBudgets(t.deps)
  expect(await isFalse(budget)).toBe(true)
  await sql`insert into event (at, cluster_id, kind, subject_type, subject_id, data)
    values (now(), ${clusterId}, 'hour.repriced', 'hour', 'x', '{}')`.execute(t.db)
  await evaluateBudgets(t.deps)
  expect(await isFalse(budget)).toBe(false)
})

test('an event is not lost whose transaction commits after a later one was counted', async () => {
  const { clusterId: other } = await aReadCluster(t, twoNodesWithCloudResources)
  const insert = (db: typeof t.db, id: string) =>
    sql`insert into event (at, cluster_id, kind, subject_type, subject_id, data)
      values (now(), ${id}, 'hour.finalised', 'hour', 'x', '{}')`.execute(db)
  await sql`delete from event`.execute(t.db)
  await t.db.transaction().execute(async (tx) => {
    await insert(tx, clusterId)
    await insert(t.db, other)
    await noteCounted(t.db, (await listNewHours(t.db)).horizon)
  })
  expect((await listNewHours(t.db)).clusterIds).toContain(clusterId)
})

test.each([
  ['edited', (id: string) => sql`update budget set amount = 1000000, revision = revision + 1 where budget_id = ${id}`],
  ['deleted', (id: string) => sql`delete from budget where budget_id = ${id}`],
])('a budget that is %s during its evaluation gets no alert and no result', async (_word, change) => {
  const budget = await create({})
  await sql`delete from alert`.execute(t.db)
  const evaluation = await t.db.transaction().execute(async (tx) => {
    await change(budget).execute(tx)
    const running = evaluateBudgets(t.deps)
    await vi.waitUntil(() => isWaitingForLock(t.db), patience)
    return { running }
  })
  await evaluation.running
  expect(await t.db.selectFrom('alert').select('alert_id').execute()).toEqual([])
  expect((await listBudgets(t.db)).map(({ current }) => current)).not.toContainEqual(expect.anything())
})

test('a new amount does not change a period that ended before it was set', async () => {
  const budgetId = await create({})
  const [row] = await listBudgets(t.db)
  const today = row?.amount_day ?? 0
  const write = (key: string, endDay: number, amount: string) =>
    writePeriods(t.db, [
      {
        budget_id: budgetId,
        key,
        first_day: endDay - 30,
        end_day: endDay,
        amount,
        usd: '0',
        is_frozen: false,
        known_hours: null,
        scope: {},
      },
    ])
  for (const amount of ['5', '9']) {
    await write('2020-01', today - 1, amount)
    await write('2020-02', today + 29, amount)
  }
  const periods = await t.db.selectFrom('budget_period').select(['key', 'amount']).orderBy('key').execute()
  expect(periods).toEqual([
    { key: '2020-01', amount: '5' },
    { key: '2020-02', amount: '9' },
  ])
})
