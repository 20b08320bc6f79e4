import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { rounds } from '../../../../../test/rounds.ts'
import { aCluster } from '../../../test/people.ts'
import { useTestApp } from '../../../test/test-app.ts'
import { sumAllocation } from '../../costs/queries/allocation.ts'
import { loadCover, loadHourlyCover } from '../queries/cover.ts'
import { moveRates } from '../queries/hours.ts'
import { workloadSums } from '../queries/quantity-columns.ts'
import { forgetDaySums } from '../queries/rollups.ts'
import { deleteOldRunningTotals } from '../queries/running-totals.ts'
import { deleteCluster } from '../../clusters/queries/clusters.ts'
import { purgeCluster } from '../../clusters/jobs/purge-cluster.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import { sumUpDays } from './sum-up-days.ts'

const t = useTestApp()

const day = (number: number) => new Date(Date.UTC(2027, 0, 20 + number))
const daysMax = 20
const now = day(daysMax + 1)

async function insertRates(): Promise<[string, string]> {
  const { rows } = await sql<{ id: string }>`
    insert into rate (class_key, price_key, valid_from, node_usd_per_hour, cpu_usd_per_microcore_second,
      memory_usd_per_kib_second, estimated, evidence)
    select 'class ' || gen_random_uuid(), 'test', '2020-01-01', 0.2, 0.000000000008679750416667 * n,
      0.000000000001109521583333 * n, false, '{}' from generate_series(1, 2) n
    returning rate_id as id`.execute(t.db)
  return [rows[0]?.id ?? '', rows[1]?.id ?? '']
}

type Use = { day: number; workload: number; version: number; quantity: number }

/** One hour of a workload, as the fold writes it: the sums of its day are forgotten in the same transaction. */
async function write(clusterId: string, rateId: string, { day: number, workload, version, quantity }: Use) {
  const hour = new Date(day(number).getTime() + 5 * 3_600_000)
  await ensureDay(t.db, 'workload_hour', hour)
  const columns = workloadSums.map((name) => sql.ref(name))
  await t.db.transaction().execute(async (tx) => {
    await sql`
      insert into folded_hour (cluster_id, hour, revision, written_at) values (${clusterId}, ${hour}, 1, ${now})
      on conflict (cluster_id, hour) do update set revision = folded_hour.revision + 1`.execute(tx)
    await sql`
      insert into workload_hour (cluster_id, hour, namespace, workload_kind, workload_name, labels, labels_hash, rate_id,
        bridged, ${sql.join(columns)})
      values (${clusterId}, ${hour}, 'shop', 'Deployment', ${`workload-${workload}`},
        ${JSON.stringify({ version: `v${version}` })}::jsonb, ${`hash-${version}`}, ${rateId}, false,
        ${sql.join(columns.map(() => sql`${quantity}::bigint`))})
      on conflict (cluster_id, hour, namespace, workload_kind, workload_name, labels_hash, rate_id, bridged)
      do update set ${sql.join(columns.map((name) => sql`${name} = workload_hour.${name} + excluded.${name}`))}`.execute(
      tx,
    )
    await forgetDaySums(tx, clusterId, [hour])
  })
}

const selection = {
  step: 'none',
  keys: ['namespace', 'workload_kind', 'workload_name'],
  labelKeys: ['version'],
  namespaces: null,
} as const

async function compareWindows(clusterId: string, from: number, length: number): Promise<number> {
  const window = { from: day(from), to: day(from + length) }
  const cover = await loadCover(t.db, clusterId, window)
  const hourly = await loadHourlyCover(t.db, clusterId, window)
  const limit = { rowsReadMax: 10_000 }
  const sorted = async (of: typeof hourly) =>
    (await sumAllocation(t.db, of, selection, limit)).map((row) => JSON.stringify(normal(row))).sort()
  expect(await sorted(cover)).toEqual(await sorted(hourly))
  return cover.spans?.totals.length ?? 0
}

function withoutZeros(text: string): string {
  let end = text.length
  while (text[end - 1] === '0') end -= 1
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

/** Sums of the same value can differ in trailing zeros. */
const normal = (row: object) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && value.includes('.') ? withoutZeros(value) : value,
    ]),
  )

const use = fc.record({
  day: fc.nat(daysMax - 1),
  workload: fc.nat(3),
  version: fc.nat(1),
  quantity: fc.integer({ min: 1, max: 9_007_199_254 }),
})

test('running totals give the sums of the hours, with late data and new prices', async () => {
  t.clock.now = now
  const [rate, newRate] = await insertRates()
  let totalsRead = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(use, { minLength: 20, maxLength: 60 }),
      fc.array(use, { maxLength: 4 }),
      fc.array(fc.nat(daysMax - 1), { maxLength: 2 }),
      fc.array(fc.tuple(fc.nat(daysMax - 1), fc.integer({ min: 1, max: daysMax })), { minLength: 3, maxLength: 5 }),
      async (first, late, repriced, windows) => {
        const { clusterId } = await aCluster(t)
        const check = async () => {
          for (const [from, length] of windows) totalsRead += await compareWindows(clusterId, from, length)
        }
        for (const each of first) await write(clusterId, rate, each)
        await sumUpDays(t.deps, { clusterId })
        await check()
        for (const each of late) await write(clusterId, rate, each)
        await check()
        await sumUpDays(t.deps, { clusterId })
        await check()
        for (const number of repriced) {
          const move = { hour: new Date(day(number).getTime() + 5 * 3_600_000), from: rate, to: newRate }
          await t.db.transaction().execute((tx) => moveRates(tx, clusterId, [move], now))
        }
        await check()
        await sumUpDays(t.deps, { clusterId })
        await check()
      },
    ),
    { numRuns: rounds({ short: 2, full: 20 }) },
  )
  expect(totalsRead).toBeGreaterThan(0)
})

test('old running totals are deleted, except for the last one of a month', async () => {
  t.clock.now = now
  const [rate] = await insertRates()
  const { clusterId } = await aCluster(t)
  for (let number = 0; number < daysMax; number += 1)
    await write(clusterId, rate, { day: number, workload: 1, version: 1, quantity: 1 + number })
  await sumUpDays(t.deps, { clusterId })
  await deleteOldRunningTotals(t.db, new Date(now.getTime() + 200 * 86_400_000))
  const { rows } = await sql<{ day: Date }>`
    select day from folded_day where cluster_id = ${clusterId} and running_since is not null order by day`.execute(t.db)
  expect(rows.map((each) => each.day.toISOString().slice(0, 10))).toEqual(['2027-01-31', '2027-02-08'])
  await compareWindows(clusterId, 0, daysMax)
  await compareWindows(clusterId, 3, 12)
})

const daysWithRows = async (clusterId: string) => {
  const { rows } = await sql<{ day: Date }>`
    select distinct day from workload_running_total where cluster_id = ${clusterId} order by day`.execute(t.db)
  return rows.map((each) => each.day.toISOString().slice(0, 10))
}

test('totals that a late hour or a new price of an old day made wrong are deleted', async () => {
  t.clock.now = now
  const [rate, newRate] = await insertRates()
  const { clusterId } = await aCluster(t)
  for (let number = 0; number < daysMax; number += 1)
    await write(clusterId, rate, { day: number, workload: 1, version: 1, quantity: 1 + number })
  await sumUpDays(t.deps, { clusterId })
  const later = new Date(now.getTime() + 200 * 86_400_000)
  t.clock.now = later
  await deleteOldRunningTotals(t.db, later)
  expect(await daysWithRows(clusterId)).toEqual(['2027-01-31', '2027-02-08'])

  await write(clusterId, rate, { day: 3, workload: 2, version: 1, quantity: 7 })
  const move = { hour: new Date(day(19).getTime() + 5 * 3_600_000), from: rate, to: newRate }
  await t.db.transaction().execute((tx) => moveRates(tx, clusterId, [move], later))
  await sumUpDays(t.deps, { clusterId })
  await deleteOldRunningTotals(t.db, later)
  expect(await daysWithRows(clusterId)).toEqual([])
  await compareWindows(clusterId, 0, daysMax)
})

test('the totals of a deleted cluster are deleted with it', async () => {
  t.clock.now = now
  const [rate] = await insertRates()
  const { clusterId } = await aCluster(t)
  for (const number of [0, 1, 2]) await write(clusterId, rate, { day: number, workload: 1, version: 1, quantity: 1 })
  await sumUpDays(t.deps, { clusterId })
  expect(await daysWithRows(clusterId)).toHaveLength(2)
  await t.db.transaction().execute((tx) => deleteCluster(tx, clusterId, now))
  await purgeCluster(t.deps, { clusterId })
  await sumUpDays(t.deps, { clusterId })
  expect(await daysWithRows(clusterId)).toEqual([])
})
