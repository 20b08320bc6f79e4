import type { Allocation } from '@plimsoll/contract'
import { decimal, formatDecimal, roundToNumber } from '@plimsoll/engine'
import { endSecond, twoNodesWithCloudResources } from '@plimsoll/pipeline/testing'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { aFoldedCluster, get, wholeWorld } from '../../../test/folded-cluster.ts'
import { aPerson, aRole, type Person } from '../../../test/people.ts'
import { readCsv } from '../../../test/read-csv.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()
let person: Person

type Row = Record<string, string>

beforeEach(async () => {
  person ??= await aFleet()
  t.clock.now = new Date(endSecond * 1000)
})

/** One cluster with a discount, and one without. */
async function aFleet(): Promise<Person> {
  const admin = await aPerson(t, 'admin')
  const body = { kind: 'discount', percent: 10, provider: 'aws', effective_from: '2020-01-01T00:00:00Z' }
  const made = await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers: admin.bearer, body })
  expect(made.statusCode, made.body).toBe(201)
  const clusters = [await aFoldedCluster(t), await aFoldedCluster(t, twoNodesWithCloudResources)]
  const ids = clusters.map(({ clusterId }) => clusterId)
  return aPerson(t, await aRole(t, ['reports:read', 'clusters:read'], { clusters: ids }))
}

async function exported(query: string, by = person) {
  const response = await send(t, { url: `/api/v1/focus?${wholeWorld}&${query}`, headers: by.bearer })
  expect(response.statusCode, response.body).toBe(200)
  return response
}

const csvOf = async (query = '') => readCsv((await exported(query)).body)

async function parquetOf(query = ''): Promise<Record<string, unknown>[]> {
  const { rawPayload } = await exported(`format=parquet&${query}`)
  const file = new Uint8Array(rawPayload).buffer
  const metadata = parquetMetadata(file)
  // Otherwise the reader would turn amounts into doubles.
  for (const element of metadata.schema) {
    if (element.converted_type !== 'DECIMAL') continue
    delete element.converted_type
    delete element.logical_type
  }
  return parquetReadObjects({ file, metadata })
}

const sumOf = (rows: Row[], column: string) => rows.reduce((sum, row) => sum + decimal(row[column] ?? ''), 0n)

const variants = ['namespace', 'workload', 'pod'].flatMap((level) =>
  ['day', 'hour'].flatMap((step) =>
    ['', ...(level === 'pod' ? [] : ['&tags=team,app']), '&version=1.3'].map(
      (more) => `level=${level}&step=${step}${more}`,
    ),
  ),
)

test.each(variants)('%s adds up to the total of the allocation', async (query) => {
  const { total } = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}`)
  const rows = await csvOf(query)
  expect(total).toBeGreaterThan(0)
  expect(roundToNumber(sumOf(rows, 'EffectiveCost'))).toBe(total)
  // Exactly the same at every level, not only rounded.
  expect(sumOf(rows, 'EffectiveCost')).toBe(sumOf(await csvOf('level=namespace'), 'EffectiveCost'))
})

test('the rows of pods add up to the rows of their namespaces in the allocation', async () => {
  const allocation = await get<Allocation>(t, person, `/api/v1/allocation?${wholeWorld}&by=namespace`)
  const expected = allocation.steps.flatMap(({ rows }) => rows.map(({ names, cost }) => [names.namespace, cost.total]))
  const sums = new Map<string, bigint>()
  for (const { x_CostClass: costClass, x_Namespace: name = '', EffectiveCost: usd = '' } of await csvOf('level=pod')) {
    if (costClass === 'workload') sums.set(name, (sums.get(name) ?? 0n) + decimal(usd))
  }
  const found = [...sums].map(([name, sum]) => [name, roundToNumber(sum)])
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected))
})

test('the Parquet file has the rows of the CSV file', async () => {
  for (const query of ['level=pod&step=hour', 'version=1.3&tags=app']) {
    const [csv, parquet] = [await csvOf(query), await parquetOf(query)]
    expect(parquet.length).toBe(csv.length)
    expect(parquet.map(asText)).toEqual(csv)
  }
})

/** As the CSV writes it. Amounts are read as unscaled decimals. */
function asText(row: Record<string, unknown>): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value === null || value === undefined) return [name, '']
      if (value instanceof Date) return [name, value.toISOString().replace('.000Z', 'Z')]
      if (value instanceof Uint8Array) return [name, amountText(value)]
      if (typeof value !== 'number') return [name, typeof value === 'string' ? value : JSON.stringify(value)]
      return [name, Number.isInteger(value) ? `${value}.0` : String(value).replace('e', 'E')]
    }),
  )
}

function amountText(bytes: Uint8Array): string {
  const unscaled = BigInt.asIntN(128, BigInt(`0x${Buffer.from(bytes).toString('hex')}`))
  const text = formatDecimal(unscaled)
  return text.includes('.') ? text : `${text}.0`
}

test('the list cost is the cost before the discount', async () => {
  const rows = await csvOf()
  const [list, contracted] = [sumOf(rows, 'ListCost'), sumOf(rows, 'ContractedCost')]
  const compute = rows.filter(({ SkuMeter }) => SkuMeter === 'CPU')
  expect(Number(sumOf(compute, 'ContractedCost')) / Number(sumOf(compute, 'ListCost'))).toBeCloseTo(0.9, 9)
  expect(list).toBeGreaterThan(contracted)
})

test('costs without an owner are rows of their class, and billed costs are 0 unless asked for', async () => {
  const rows = await csvOf('step=hour')
  expect([...new Set(rows.map((row) => row.x_CostClass))].sort()).toEqual(['idle', 'overhead', 'unmounted', 'workload'])
  expect(new Set(rows.map(({ BilledCost }) => BilledCost))).toEqual(new Set(['0.0']))
  for (const row of await csvOf('billed=effective')) expect(row.BilledCost).toBe(row.EffectiveCost)
})

test('the ratios of each origin, meter and period add up to exactly 1', async () => {
  for (const level of ['namespace', 'workload', 'pod']) {
    const sums = new Map<string, bigint>()
    for (const row of await csvOf(`version=1.3&step=hour&level=${level}`)) {
      const key = [row.SubAccountId, row.ResourceId, row.SkuPriceId, row.SkuMeter, row.ChargePeriodStart].join(' ')
      const ratio = /"AllocatedRatio":([\d.]+)/.exec(row.AllocatedMethodDetails ?? '')?.[1] ?? ''
      sums.set(key, (sums.get(key) ?? 0n) + decimal(ratio))
    }
    expect(new Set([...sums.values()].map(formatDecimal))).toEqual(new Set(['1']))
  }
})

test('tags name the namespace, the workload, the labels that were asked for, and the team', async () => {
  const admin = await aPerson(t, 'admin')
  await sql`update workload_hour set labels = '{"app":"a \\"b\\", c","other":"x"}'`.execute(t.db)
  const body = { rules: [{ team_from_label: 'other' }] }
  await send(t, { method: 'PUT', url: '/api/v1/team-mapping', headers: admin.bearer, body })
  const rows = (await csvOf('tags=app,team')).filter((row) => row.x_CostClass === 'workload' && row.SkuMeter === 'CPU')
  expect(rows.length).toBeGreaterThan(0)
  for (const { Tags = '', x_Namespace: namespace, x_WorkloadKind: kind, x_WorkloadName: name } of rows)
    expect(JSON.parse(Tags)).toEqual({ namespace, workload: `${kind}/${name}`, app: 'a "b", c', team: 'x' })
})

const tenDaysAgo = new Date((endSecond - 10 * 86_400) * 1000).toISOString()
const longAgo = new Date((endSecond - 40 * 86_400) * 1000).toISOString()

test.each([
  { query: `level=pod&from=${tenDaysAgo}`, code: '422 detail_not_stored' },
  { query: `step=hour&from=${longAgo}`, code: '422 detail_not_stored' },
  { query: 'level=pod&tags=team', code: '400 invalid_parameter' },
  { query: 'format=xlsx', code: '400 invalid_parameter' },
  { query: 'version=9', code: '400 invalid_parameter' },
  { query: 'tags=a%20b', code: '400 invalid_parameter' },
  { query: 'from=2030-01-01T00:00:00Z&to=2029-01-01T00:00:00Z', code: '400 invalid_parameter' },
  { query: 'cluster_id=cls_unknown', code: '404 cluster_not_found' },
])('$query is $code', async ({ query, code }) => {
  const response = await send(t, { url: `/api/v1/focus?${query}`, headers: person.bearer })
  expect(`${response.statusCode} ${response.json<{ code: string }>().code}`).toBe(code)
})

test('a role for some namespaces gets no file', async () => {
  const narrow = await aPerson(t, await aRole(t, ['reports:read'], { namespaces: ['shop'] }))
  const response = await send(t, { url: `/api/v1/focus?${wholeWorld}`, headers: narrow.bearer })
  expect([response.statusCode, response.json<{ code: string }>().code]).toEqual([403, 'role_narrowed'])
})

test('a window without data is a header alone, and an empty Parquet file', async () => {
  const empty = 'from=2030-01-01T00:00:00Z&to=2030-01-02T00:00:00Z'
  const url = `/api/v1/focus?${empty}`
  expect((await send(t, { url, headers: person.bearer })).body.trimEnd().split('\r\n')).toHaveLength(1)
  const { rawPayload } = await send(t, { url: `${url}&format=parquet`, headers: person.bearer })
  expect(await parquetReadObjects({ file: new Uint8Array(rawPayload).buffer })).toEqual([])
})
