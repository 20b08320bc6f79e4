import type {
  Allocation,
  Budget,
  BudgetList,
  SharingSettings,
  Statement,
  StatementList,
  TeamRule,
} from '@plimsoll/contract'
import { decimal, formatDecimal } from '@plimsoll/engine'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { evaluateBudgets } from '../../budgets/index.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import { aFoldedCluster, aReadCluster, get, isoHour, wholeWorld } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let admin: Person
const month = new Date(endSecond * 1000).toISOString().slice(0, 7)

beforeEach(async () => {
  await aReadCluster(t, twoNodesWithCloudResources)
  admin = await aPerson(t, 'admin')
  await t.db.deleteFrom('team_mapping').execute()
  await mapTeams([{ team_from_label: 'team' }])
})

async function mapTeams(rules: TeamRule[]): Promise<void> {
  const response = await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers: admin.bearer, body: { rules } })
  expect(response.statusCode, response.body).toBe(200)
}

const listOf = (person = admin, query = '') =>
  get<StatementList>(t, person, `/api/v1/statements?month=${month}${query}`)
const sheetOf = (team: string, person = admin) => get<Statement>(t, person, `/api/v1/statements/${month}/${team}`)
const allocated = (query: string, person = admin) =>
  get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}&by=team${query}`)
const shares = '&share=statements'

const codeOf = async (url: string, person = admin) => {
  const response = await send(t, { url, headers: person.bearer })
  return `${response.statusCode} ${response.json<{ code: string }>().code}`
}

test('law: teams, unowned and not charged cost add up to the month, which is the allocation of the month', async () => {
  const list = await listOf()
  const { teams, unowned, not_charged: notCharged, total, exact_total: exact } = list
  const parts = [...teams, ...(unowned ? [unowned] : []), ...(notCharged ? [notCharged] : [])]
  const sum = parts.reduce((all, each) => all + decimal(each.exact_total), 0n)
  expect(formatDecimal(sum)).toBe(exact)
  const [shared, plain] = [await allocated(shares), await allocated('')]
  expect(total).toBe(shared.total)
  expect(total).toBeGreaterThan(0)
  const teamsOf = ({ steps }: Allocation) =>
    Object.fromEntries(steps[0]?.rows.map(({ names, cost }) => [names.team ?? '', cost.total]) ?? [])
  const listed = (of: 'own' | 'total') => ({
    ...Object.fromEntries(teams.map((each) => [each.team, each[of]])),
    ...(unowned ? { __none__: unowned[of] } : {}),
  })
  expect(listed('total')).toEqual(teamsOf(shared))
  expect(listed('own')).toEqual(teamsOf(plain))
  expect(list).toMatchObject({ month, state: 'open', revision: 0, months: [{ month, state: 'open' }] })
})

test('a sheet has own cost by namespace, shared cost with its rule, and the causes of the difference', async () => {
  const [line] = (await listOf()).teams
  const sheet = await sheetOf(line?.team ?? '')
  expect(sheet).toMatchObject({ team: line?.team, total: line?.total, adjustments: [], state: 'open' })
  const sum = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0)
  expect(sum(sheet.own.rows.map(({ total }) => total))).toBeCloseTo(sheet.own.total, 5)
  expect(sheet.own.total + sheet.shared.total).toBeCloseTo(sheet.total, 5)
  expect(sheet.shared.parts[0]).toMatchObject({
    part: 'idle',
    rule: 'Shared in proportion to own cost, within each cluster and day',
    namespaces: [],
  })
  const { own, shared, difference } = sheet.changes
  expect(own.total.now).toBe(sheet.own.total)
  expect(sum(own.total.effects.map(({ amount }) => amount))).toBeCloseTo(own.total.difference, 5)
  expect(own.total.difference + sum(shared.map((each) => each.difference))).toBeCloseTo(difference, 5)
})

/** The two hours of the world have other shares, so that shares of a day and of the month differ. */
async function moveFirstHourToTheDayBefore(clusterId: string): Promise<void> {
  const before = new Date(Date.parse(isoHour(0)) - 86_400_000)
  for (const table of ['workload_hour', 'node_hour', 'asset_hour'] as const) await ensureDay(t.db, table, before)
  for (const name of ['folded', 'cluster', 'namespace', 'workload', 'asset', 'asset_namespace', 'node'])
    await sql`update ${sql.table(`${name}_hour`)} set hour = ${before}
      where cluster_id = ${clusterId} and hour = ${isoHour(0)}`.execute(t.db)
}

const putSharing = async (sharing: SharingSettings) => {
  const response = await send(t, { method: 'PUT', url: '/api/v1/cost-sharing', headers: admin.bearer, body: sharing })
  expect(response.statusCode, response.body).toBe(200)
}

test.each<SharingSettings>([
  { idle: 'proportional', overhead: 'proportional', namespaces: [], namespaces_by: 'proportional' },
  { idle: 'even', overhead: 'even', namespaces: ['data'], namespaces_by: 'proportional' },
  { idle: 'none', overhead: 'proportional', namespaces: ['shop'], namespaces_by: 'even' },
  { idle: 'none', overhead: 'none', namespaces: [], namespaces_by: 'even' },
])('law 2 for $idle, $overhead, $namespaces: statement, budget and allocation are equal', async (sharing) => {
  const { clusterId } = await aFoldedCluster(t, twoNodesWithCloudResources)
  await moveFirstHourToTheDayBefore(clusterId)
  await putSharing(sharing)
  const create = async (team: string, share: boolean) => {
    const body = { name: `${team} ${share} ${clusterId}`, period: 'month', amount: 12, share, scope: { teams: [team] } }
    return (await send(t, { method: 'POST', url: '/api/v1/budgets', headers: admin.bearer, body })).json<Budget>().id
  }
  const { teams, unowned } = await listOf()
  const names = [...teams.map(({ team }) => team), ...(unowned ? ['__none__'] : [])]
  expect(names.length).toBeGreaterThan(1)
  const ids = new Map<string, string[]>()
  for (const team of names) ids.set(team, [await create(team, true), await create(team, false)])
  await evaluateBudgets(t.deps)
  const { budgets } = await get<BudgetList>(t, admin, '/api/v1/budgets')
  const spentOf = (id = '') => budgets.find((budget) => budget.id === id)?.current?.forecast.spent
  const wholeMonth = `from=${month}-01T00:00:00Z&to=${new Date(endSecond * 1000).toISOString()}`
  for (const team of names) {
    const sheet = await sheetOf(team)
    const [shared, own] = ids.get(team) ?? []
    const allocation = (query: string) =>
      get<Allocation>(t, admin, `/api/v1/allocation?${wholeMonth}&by=namespace&team=${team}${query}`)
    expect(sheet.total, team).toBe(spentOf(shared))
    expect((await allocation(shares)).total, team).toBe(sheet.total)
    expect((await allocation('')).total, team).toBe(spentOf(own))
    const spent = (id: string | undefined) => sheet.budgets?.find((budget) => budget.id === id)?.spent
    expect([spent(shared), spent(own)], team).toEqual([spentOf(shared), spentOf(own)])
  }
  await t.db.deleteFrom('budget').execute()
  await t.db.deleteFrom('cluster').where('cluster_id', '=', clusterId).execute()
})

test('a role limited to teams sees its teams and no cost of the whole month', async () => {
  const person = await aPerson(t, await aRole(t, ['reports:read'], { teams: ['red'] }))
  const all = await listOf()
  const own = await listOf(person)
  const red = all.teams.find(({ team }) => team === 'red')
  expect(own.teams).toEqual([{ ...red, budgets: null }])
  expect(own).toMatchObject({ unowned: null, not_charged: null, total: red?.total, exact_total: red?.exact_total })
  expect(own.sharing.map(({ amount }) => amount)).toEqual([null, null])
  const sheet = await sheetOf('red', person)
  expect(sheet.total).toBe(red?.total)
  expect(sheet.shared.parts.map(({ all: whole }) => whole)).toEqual([null, null])
  expect((await allocated(shares, person)).total).toBe(red?.total)
  const other = all.teams.find(({ team }) => team !== 'red')?.team ?? '__none__'
  expect(await codeOf(`/api/v1/statements/${month}/${other}`, person)).toBe('404 statement_not_found')
})

test('a role limited to other clusters or namespaces sees none of this cost', async () => {
  for (const limits of [{ namespaces: ['nowhere'] }, { clusters: [] as string[] }]) {
    const person = await aPerson(t, await aRole(t, ['reports:read'], limits))
    expect(await listOf(person)).toMatchObject({ teams: [], unowned: null, total: 0 })
  }
})

test('all sheets of a month are one response', async () => {
  const { sheets = [], teams, unowned } = await listOf(admin, '&include=sheets')
  expect(sheets.map(({ team }) => team)).toEqual([...teams.map(({ team }) => team), ...(unowned ? ['__none__'] : [])])
  expect(sheets[0]).toEqual(await sheetOf(sheets[0]?.team ?? ''))
})

test.each([
  { url: '/api/v1/statements?month=2026-13', code: '400 invalid_parameter' },
  { url: '/api/v1/statements?month=2098-01', code: '400 invalid_parameter' },
  { url: '/api/v1/statements?include=everything', code: '400 invalid_parameter' },
  { url: '/api/v1/statements/2098-01/red', code: '404 statement_not_found' },
  { url: '/api/v1/statements/nonsense/red', code: '404 statement_not_found' },
  { url: `/api/v1/statements/${month}/nobody`, code: '404 statement_not_found' },
  { url: '/api/v1/statements/2001-01/red', code: '404 statement_not_found' },
])('$url is $code', async ({ url, code }) => {
  expect(await codeOf(url)).toBe(code)
})

test('a month before the first data has no cost', async () => {
  const list = await get<StatementList>(t, admin, '/api/v1/statements?month=2001-01')
  expect(list).toMatchObject({ state: 'provisional', data_status: 'no_data', teams: [], total: 0, before: 0 })
  expect(list.compare_data_status).toBe('no_data')
})

test('CSV contains the amounts of the statement, which add up to its total', async () => {
  const { total } = await sheetOf('red')
  const response = await send(t, { url: `/api/v1/statements/${month}/red?format=csv`, headers: admin.bearer })
  expect(response.headers['content-type']).toBe('text/csv; charset=utf-8')
  const [head = '', ...lines] = response.body.trimEnd().split('\r\n')
  expect(head).toBe('month,state,team,section,cluster,namespace,item,rule,usd')
  const amounts = lines.map((line) => Number(line.split(',').at(-1)))
  expect(amounts.at(-1)).toBe(total)
  expect(amounts.slice(0, -1).reduce((sum, usd) => sum + usd, 0)).toBeCloseTo(total, 5)
  const accepted = await send(t, {
    url: `/api/v1/statements?month=${month}`,
    headers: { ...admin.bearer, accept: 'text/csv' },
  })
  expect(accepted.body).toContain(`${month},open,red,`)
})
