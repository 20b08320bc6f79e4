import type { AlertList, Allocation, Budget, BudgetList, BudgetPreview, Forecast, Overview } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { aReadCluster, get, wholeWorld } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp, type Call } from '../../../test/test-app.ts'
import { evaluateBudgets } from '../jobs/evaluate-budgets.ts'

const t = useTestApp()
let editor: Person

beforeEach(async () => {
  await aReadCluster(t, twoNodesWithCloudResources)
  t.clock.now = new Date(endSecond * 1000)
  editor = await aPerson(t, 'editor')
  await t.db.deleteFrom('budget').execute()
})

let budgets = 0
const aBody = (change: object = {}) => ({ name: `budget ${(budgets += 1)}`, period: 'month', amount: 1, ...change })

const call = async (options: Call, person = editor) =>
  send(t, { ...options, headers: { ...person.bearer, ...options.headers } })

async function create(change: object = {}): Promise<Budget> {
  const response = await call({ method: 'POST', url: '/api/v1/budgets', body: aBody(change) })
  expect(response.statusCode, response.body).toBe(201)
  return response.json<Budget>()
}

const refusalOf = async (change: object) => {
  const response = await call({ method: 'POST', url: '/api/v1/budgets', body: aBody(change) })
  return `${response.statusCode} ${response.json<{ code: string }>().code}`
}

async function evaluated(person = editor): Promise<BudgetList> {
  await evaluateBudgets(t.deps)
  return get<BudgetList>(t, person, '/api/v1/budgets')
}

const spentOf = ({ budgets: all }: BudgetList, id: string) =>
  all.find((budget) => budget.id === id)?.current?.forecast.spent

const allocated = async (query: string) =>
  (await get<Allocation>(t, editor, `/api/v1/allocation?${wholeWorld}&${query}`)).total

test('law 2: the cost of a budget is the allocation of its scope, also for overlapping budgets', async () => {
  const { clusterId } = await aReadCluster(t, twoNodesWithCloudResources)
  const createOwn = (change: object = {}) => create({ share: false, ...change })
  const all = await createOwn()
  const [shop, again] = [
    await createOwn({ scope: { namespaces: ['shop'] } }),
    await createOwn({ scope: { namespaces: ['shop'] } }),
  ]
  const red = await createOwn({ scope: { clusters: [clusterId], labels: ['team=red'] } })
  const nothing = await createOwn({ scope: { namespaces: ['nowhere'] } })
  const list = await evaluated()
  expect(spentOf(list, all.id)).toBe(await allocated(''))
  expect(spentOf(list, shop.id)).toBe(await allocated('namespace=shop'))
  expect(spentOf(list, again.id)).toBe(spentOf(list, shop.id))
  const byLabel = await get<Allocation>(t, editor, `/api/v1/allocation?${wholeWorld}&by=label:team`)
  const ofRed = byLabel.steps[0]?.rows.find(({ names }) => names['label:team'] === 'red')?.cost.total
  expect(spentOf(list, red.id)).toBe(ofRed)
  expect(spentOf(list, nothing.id)).toBe(0)
  expect(list.counts).toMatchObject({ over: 1 })
})

test('the tree: the scope of a child lies inside its parent, and parents cost at least as much', async () => {
  const parent = await create({ amount: 10, scope: { namespaces: ['shop', 'data'] } })
  const child = await create({ amount: 4, scope: { namespaces: ['shop'] }, parent_id: parent.id })
  expect(await refusalOf({ scope: { namespaces: ['ops'] }, parent_id: parent.id })).toBe('409 budget_outside_parent')
  expect(await refusalOf({ scope: { namespaces: ['shop'] }, parent_id: parent.id, period: 'year' })).toBe(
    '409 budget_outside_parent',
  )
  expect(await refusalOf({ parent_id: 'bud_unknown' })).toBe('409 budget_outside_parent')
  const url = `/api/v1/budgets/${parent.id}`
  const patch = (body: object) => call({ method: 'PATCH', url, body })
  expect((await patch({ parent_id: child.id })).json()).toMatchObject({ code: 'budget_outside_parent' })
  expect((await patch({ scope: { namespaces: ['data'] } })).json()).toMatchObject({ code: 'budget_outside_parent' })
  expect((await call({ method: 'DELETE', url })).json()).toMatchObject({ code: 'budget_has_children' })
  const list = await evaluated()
  expect(spentOf(list, parent.id)).toBeGreaterThanOrEqual(spentOf(list, child.id) ?? Infinity)
  expect(list.budgets.find(({ id }) => id === parent.id)?.unassigned).toBe(6)
})

test('a change keeps who, when and why, and applies to the open period but not to a frozen one', async () => {
  const { id } = await create({ amount: 5 })
  await evaluated()
  const url = `/api/v1/budgets/${id}`
  const change = async (amount: number) => {
    expect((await call({ method: 'PATCH', url, body: { amount, reason: 'second cluster' } })).statusCode).toBe(200)
    return (await evaluated()).budgets.find((budget) => budget.id === id)
  }
  expect((await change(6))?.current?.amount).toBe(6)
  const { changes } = await get<{ changes: unknown[] }>(t, editor, `${url}/history`)
  expect(changes[0]).toMatchObject({
    by: editor.email,
    reason: 'second cluster',
    before: { amount: 5 },
    after: { amount: 6 },
  })
  t.clock.now = new Date(endSecond * 1000 + 60 * 86_400_000)
  const later = await aPerson(t, 'editor')
  editor = later
  const frozen = await change(7)
  // The two hours of the world are all that is known of the month.
  expect(frozen?.past.at(-1)).toMatchObject({ frozen: true, amount: 6, hours_with_data: 2 })
  expect(frozen?.past.at(-1)?.hours).toBeGreaterThanOrEqual(28 * 24)
  expect((await change(8))?.past.at(-1)).toEqual(frozen?.past.at(-1))
})

test.each([
  { what: 'a negative amount', change: { amount: -1 }, answer: '422 invalid_body' },
  { what: 'an amount above the maximum', change: { amount: 1e12 + 1 }, answer: '422 invalid_body' },
  {
    what: 'a time instead of a date',
    change: { period: 'once', from: '2026-01-01T00:00:00+02:00', to: '2026-02-01' },
    answer: '422 invalid_body',
  },
  { what: 'a period once without days', change: { period: 'once' }, answer: '422 invalid_body' },
  {
    what: 'an end before the start',
    change: { period: 'once', from: '2026-02-01', to: '2026-01-01' },
    answer: '422 invalid_body',
  },
  { what: 'days of a month', change: { from: '2026-02-01', to: '2026-03-01' }, answer: '422 invalid_body' },
  { what: 'an empty scope field', change: { scope: { teams: [] } }, answer: '422 invalid_body' },
])('$what is refused', async ({ change, answer }) => {
  expect(await refusalOf(change)).toBe(answer)
})

test('amounts of 0 and 10^12, and a name that is taken', async () => {
  const zero = await create({ amount: 0 })
  const huge = await create({ amount: 1e12 })
  const { budgets: all } = await evaluated()
  const outlookOf = (id: string) => all.find((budget) => budget.id === id)?.current?.forecast.outlook
  expect([outlookOf(zero.id), outlookOf(huge.id)]).toEqual(['over', 'unknown'])
  expect(await refusalOf({ name: zero.name })).toBe('409 budget_name_taken')
})

test('a limited role sees and writes only budgets inside its limits', async () => {
  const [all, shop] = [await create(), await create({ scope: { namespaces: ['shop'] } })]
  const person = await aPerson(
    t,
    await aRole(t, ['budgets:read', 'budgets:write', 'reports:read'], { namespaces: ['shop'] }),
  )
  expect((await evaluated(person)).budgets.map(({ id }) => id)).toEqual([shop.id])
  expect((await call({ url: `/api/v1/budgets/${all.id}` }, person)).statusCode).toBe(404)
  const write = (scope: object) => call({ method: 'POST', url: '/api/v1/budgets', body: aBody({ scope }) }, person)
  expect((await write({ namespaces: ['data'] })).json()).toMatchObject({ code: 'role_narrowed' })
  expect((await write({ namespaces: ['shop'] })).statusCode).toBe(201)
  const forecast = await get<Forecast>(t, person, '/api/v1/forecast')
  expect(forecast.spent).toBe(await allocated('namespace=shop'))
})

test('each threshold sends one alert in a period, and another one after the amount changed', async () => {
  const { id } = await create({
    amount: 0.5,
    scope: { namespaces: ['shop'] },
    thresholds: { actual: [10], forecast: false },
  })
  const alerts = async () => {
    await evaluated()
    const rows = await t.db.selectFrom('alert').select(['rule', 'state', 'period']).where('entity', '=', id).execute()
    return rows.map(({ rule, state }) => `${rule} ${state}`)
  }
  expect(await alerts()).toEqual(['budget_actual firing'])
  await t.db.updateTable('budget').set({ current: null }).where('budget_id', '=', id).execute()
  t.clock.now = new Date(t.clock.now.getTime() + 60_000)
  expect(await alerts()).toEqual(['budget_actual firing'])
  expect((await call({ method: 'PATCH', url: `/api/v1/budgets/${id}`, body: { amount: 0.4 } })).statusCode).toBe(200)
  expect(await alerts()).toEqual(['budget_actual firing', 'budget_actual firing'])
})

test('the preview says what a scope matches', async () => {
  const preview = async (scope: object, share = false) => {
    const body = { scope, share, amount: 5 }
    return (await call({ method: 'POST', url: '/api/v1/budgets/preview', body })).json<BudgetPreview>()
  }
  const shop = await preview({ namespaces: ['shop'] })
  expect(shop).toMatchObject({ matches: { workloads: 1 }, forecast: { middle: null, outlook: 'unknown' }, periods: [] })
  expect(shop.matches.usd_per_day).toBe(await allocated('namespace=shop'))
  const shared = await preview({ namespaces: ['shop'] }, true)
  expect(shared.matches.usd_per_day).toBe(await allocated('share=statements&namespace=shop'))
  expect(shared.matches.usd_per_day).toBeGreaterThan(shop.matches.usd_per_day)
  expect(await preview({ namespaces: ['nowhere'] })).toMatchObject({ matches: { workloads: 0, usd_per_day: 0 } })
})

const limitedTo = async (namespaces: string[]) =>
  aPerson(t, await aRole(t, ['budgets:read', 'alerts:read', 'reports:read'], { namespaces }))

test('a limited role sees neither the past periods nor the changes of a scope outside its limits', async () => {
  const { id } = await create({ amount: 5 })
  await evaluated()
  t.clock.now = new Date(endSecond * 1000 + 60 * 86_400_000)
  editor = await aPerson(t, 'editor')
  expect((await evaluated()).budgets[0]?.past).not.toEqual([])
  const url = `/api/v1/budgets/${id}`
  expect((await call({ method: 'PATCH', url, body: { scope: { namespaces: ['shop'] } } })).statusCode).toBe(200)
  const limited = await limitedTo(['shop'])
  expect((await evaluated(limited)).budgets[0]?.past).toEqual([])
  expect(await get(t, limited, `${url}/history`)).toEqual({ changes: [] })
  expect((await get<{ changes: unknown[] }>(t, editor, `${url}/history`)).changes).toHaveLength(2)
})

test('the alert of a budget follows its scope, and ends with the budget', async () => {
  const thresholds = { actual: [10], forecast: false }
  const { id, name } = await create({ amount: 0.01, scope: { namespaces: ['shop', 'data'] }, thresholds })
  await evaluated()
  const [shop, both] = [await limitedTo(['shop']), await limitedTo(['shop', 'data', 'ops'])]
  const seenBy = async (person: Person) =>
    (await get<AlertList>(t, person, '/api/v1/alerts?state=open')).alerts.filter(({ title }) => title.includes(name))
      .length
  expect([await seenBy(shop), await seenBy(both)]).toEqual([0, 1])
  const url = `/api/v1/budgets/${id}`
  expect((await call({ method: 'PATCH', url, body: { scope: { namespaces: ['shop'] } } })).statusCode).toBe(200)
  t.clock.now = new Date(t.clock.now.getTime() + 60_000)
  await evaluated()
  expect([await seenBy(shop), await seenBy(both)]).toEqual([1, 1])
  expect((await call({ method: 'DELETE', url })).statusCode).toBe(204)
  expect([await seenBy(shop), await seenBy(both)]).toEqual([0, 0])
})

test.each([
  { query: 'clusters=cls_unknown', status: 404 },
  { query: 'clusters=', status: 400 },
  { query: 'labels=team', status: 400 },
  { query: 'labels=__team__=red', status: 400 },
  { query: 'workloads=shop', status: 400 },
  { query: 'namespaces=shop,,data', status: 400 },
  { query: 'teams=__none__&labels=team=red&namespaces=shop,data', status: 200 },
])('the forecast of $query answers $status', async ({ query, status }) => {
  expect((await call({ url: `/api/v1/forecast?${query}` })).statusCode).toBe(status)
})

test('the history names the days, refuses an empty change and forgets the address of a deleted user', async () => {
  const { id } = await create({ period: 'once', from: '2026-01-01', to: '2026-02-01' })
  const url = `/api/v1/budgets/${id}`
  expect((await call({ method: 'PATCH', url, body: { reason: 'nothing' } })).statusCode).toBe(422)
  expect((await call({ method: 'PATCH', url, body: { to: '2026-03-01' } })).statusCode).toBe(200)
  const changes = async () => (await get<{ changes: object[] }>(t, editor, `${url}/history`)).changes
  expect((await changes())[0]).toMatchObject({
    by: editor.email,
    before: { to: '2026-02-01' },
    after: { to: '2026-03-01' },
  })
  const maker = editor
  editor = await aPerson(t, 'editor')
  const admin = await aPerson(t)
  expect((await call({ method: 'DELETE', url: `/api/v1/users/${maker.userId}` }, admin)).statusCode).toBe(204)
  expect((await changes())[0]).toMatchObject({ by: 'deleted user' })
})

test('the overview shows the state of the budgets that a role may see', async () => {
  const over = await create({ amount: 0 })
  await create({ amount: 1e12 })
  await evaluated()
  const { budgets: states } = await get<Overview>(t, editor, '/api/v1/overview')
  expect(states).toMatchObject({ counts: { over: 1, unknown: 1 }, exceeding: [{ id: over.id, outlook: 'over' }] })
  const other = await aPerson(t, await aRole(t, ['reports:read', 'clusters:read']))
  expect((await get<Overview>(t, other, '/api/v1/overview')).budgets).toBeUndefined()
})
