import type { Explanation, IdleCosts } from '@plimsoll/contract'
import { beforeEach, expect, test } from 'vitest'
import { reprice } from '../src/ingest/jobs/reprice.ts'
import { aBridgedCluster, aFoldedCluster, get, isoHour, wholeWorld, type FoldedCluster } from './folded-cluster.ts'
import { aPerson, type Person } from './people.ts'
import { endSecond } from '@plimsoll/pipeline/testing'
import { oneNode } from './stored-hours.ts'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp()
let person: Person

beforeEach(async () => {
  t.clock.now = new Date(endSecond * 1000)
  person = await aPerson(t)
})

const idleCosts = ({ clusterId }: FoldedCluster, window: string) =>
  get<IdleCosts>(t, person, `/api/v1/idle-costs?cluster_id=${clusterId}&${window}`)

const explain = ({ clusterId }: FoldedCluster, window: string) =>
  get<Explanation>(t, person, `/api/v1/clusters/${clusterId}/explain?resource=cpu,memory&${window}`)

test('a window across a price change has each hour at its own price, and the explanation names both', async () => {
  const cluster = await aFoldedCluster(t, oneNode)
  const body = { kind: 'discount', cluster_id: cluster.clusterId, provider: 'aws', percent: 10 }
  const from = { effective_from: isoHour(1) }
  const url = '/api/v1/price-overrides'
  const made = await send(t, { method: 'POST', url, headers: person.bearer, body: { ...body, ...from } })
  expect(made.statusCode, made.body).toBe(201)
  await reprice(t.deps)
  // $0.23, then 10 % less.
  expect((await idleCosts(cluster, wholeWorld)).total).toBe(0.437)
  const { amount, parts, hours } = await explain(cluster, wholeWorld)
  expect(amount).toBe(0.437)
  expect(hours.map(({ exact_amount: usd }) => Number(Number(usd).toFixed(6)))).toEqual([0.23, 0.207])
  expect(new Set(parts.map(({ rate }) => rate.id)).size).toBe(2)
  expect(new Set(parts.map(({ rate }) => rate.node_usd_per_hour?.replace(/(?<!0)0+$/, '')))).toEqual(
    new Set(['0.23', '0.207']),
  )
})

test('a window during a gap costs what the nodes cost, and unmeasured cost is not idle', async () => {
  const cluster = await aBridgedCluster(t, 30)
  t.clock.now = new Date(isoHour(30))
  person = await aPerson(t)
  const gap = await idleCosts(cluster, `from=${isoHour(10)}&to=${isoHour(12)}`)
  // An m5.xlarge and a c5.xlarge for two hours.
  expect(gap.total).toBeCloseTo(2 * (0.23 + 0.194), 6)
  expect(gap).toMatchObject({ data_status: 'complete', usage_coverage: { cpu: 0, memory: 0 } })
  expect(gap.breakdown.workload_idle).toBe(0)
  expect(gap.breakdown.workload).toBeGreaterThan(0)
})

test('the same times in another time zone are the same window, and half an hour is rounded outwards with a note', async () => {
  const cluster = await aFoldedCluster(t)
  const utc = await idleCosts(cluster, `from=${isoHour(0)}&to=${isoHour(1)}`)
  const zoned = (second: string, to: string) => `from=${encodeURIComponent(second)}&to=${encodeURIComponent(to)}`
  expect(isoHour(0)).toBe('2027-01-15T08:00:00.000Z')
  const inZone = await idleCosts(cluster, zoned('2027-01-15T10:00:00+02:00', '2027-01-15T11:00:00+02:00'))
  expect(inZone).toEqual(utc)
  // 13:30 to 14:30 in Kolkata is 08:00 to 09:00; 14:00 to 15:00 is 08:30 to 09:30, which is two hours.
  expect(await idleCosts(cluster, zoned('2027-01-15T13:30:00+05:30', '2027-01-15T14:30:00+05:30'))).toEqual(utc)
  const half = await idleCosts(cluster, zoned('2027-01-15T14:00:00+05:30', '2027-01-15T15:00:00+05:30'))
  expect(half.window).toMatchObject({ from: isoHour(0), to: isoHour(2), hours: 2 })
})
