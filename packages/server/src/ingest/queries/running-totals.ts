import { dayMs } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { workloadSums } from './quantity-columns.ts'

/** Older days are read one by one, except for the total of each whole month. */
export const runningDaysKept = 100

const keys = ['namespace', 'workload_kind', 'workload_name', 'labels', 'labels_hash', 'rate_id']
const columns = sql.join([...keys, ...workloadSums].map((name) => sql.ref(name)))

/** Summed days without running totals, of the time that has them. */
export async function listDaysToTotal(tx: Db, clusterId: string, now: Date): Promise<Date[]> {
  const rows = await tx
    .selectFrom('folded_day')
    .select('day')
    .where('cluster_id', '=', clusterId)
    .where('running_since', 'is', null)
    .where('day', '>=', new Date(now.getTime() - runningDaysKept * dayMs))
    .orderBy('day')
    .execute()
  return rows.map(({ day }) => day)
}

/** Totals that contain one of these days are wrong as soon as the day has another hour. */
export async function forgetRunningTotals(tx: Db, clusterId: string, days: readonly Date[]): Promise<void> {
  await sql`
    update folded_day f set running_since = null
    where f.cluster_id = ${clusterId} and f.running_since is not null
      and exists (select from unnest(${days}::timestamptz[]) changed where f.running_since <= changed and changed < f.day)`.execute(
    tx,
  )
}

/** The day is summed, and the caller holds the fold lock. New totals start with each month. */
export async function addRunningTotal(tx: Db, clusterId: string, day: Date): Promise<void> {
  await sql`delete from workload_running_total where cluster_id = ${clusterId} and day = ${day}`.execute(tx)
  const previous = await findPrevious(tx, clusterId, day)
  const since = previous && (await writeTotal(tx, clusterId, { day, previous })) ? previous.since : day
  await sql`
    update folded_day set running_since = ${since} where cluster_id = ${clusterId} and day = ${day}`.execute(tx)
}

type Previous = { day: Date; since: Date }

/** The last day with hours in the same month, if it has totals. */
async function findPrevious(tx: Db, clusterId: string, day: Date): Promise<Previous | undefined> {
  const { rows } = await sql<Previous>`
    select day, running_since as since from folded_day
    where cluster_id = ${clusterId} and running_since is not null and day = (
      select date_trunc('day', max(hour), 'UTC') from folded_hour
      where cluster_id = ${clusterId} and hour < ${day} and hour >= date_trunc('month', ${day}::timestamptz, 'UTC'))`.execute(
    tx,
  )
  return rows[0]
}

/** Where workloads come and go, totals would have far more rows than their days. Then new totals start. */
const growthMax = 2

async function writeTotal(
  tx: Db,
  clusterId: string,
  { day, previous }: { day: Date; previous: Previous },
): Promise<boolean> {
  const isFirst = previous.day.getTime() === previous.since.getTime()
  const sums = workloadSums.map((name) => sql`sum(${sql.ref(name)})`)
  const written = await sql`
    insert into workload_running_total (cluster_id, day, ${columns})
    select ${clusterId}, ${day}, ${sql.join(keys.map((name) => sql.ref(name)))}, ${sql.join(sums)}
    from (
      ${rowsOf(isFirst ? 'workload_day' : 'workload_running_total', clusterId, previous.day)}
      union all ${rowsOf('workload_day', clusterId, day)}) summed
    group by ${sql.join(keys.map((name) => sql.ref(name)))}`.execute(tx)
  const rowsWritten = Number(written.numAffectedRows ?? 0n)
  if (rowsWritten <= growthMax * (await countRows(tx, clusterId, day))) return true
  await sql`delete from workload_running_total where cluster_id = ${clusterId} and day = ${day}`.execute(tx)
  return false
}

const rowsOf = (table: string, clusterId: string, day: Date): RawBuilder<unknown> =>
  sql`select ${columns} from ${sql.table(table)} where cluster_id = ${clusterId} and day = ${day}`

async function countRows(tx: Db, clusterId: string, day: Date): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from workload_day where cluster_id = ${clusterId} and day = ${day}`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}

/** Keeps the last total of each month: reports of past months need no other. */
export async function deleteOldRunningTotals(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - runningDaysKept * dayMs)
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<DayOfCluster>`
      update folded_day f set running_since = null
      where f.running_since is not null and f.day < ${before} and exists (
        select from folded_day later where later.cluster_id = f.cluster_id and later.day > f.day
          and later.running_since = f.running_since)
      returning f.cluster_id as "clusterId", f.day`.execute(tx)
    await deleteTotals(tx, rows)
  })
  await deleteForgottenTotals(db, before)
}

/** Late hours and new prices of an old day make totals wrong that are never summed again. */
async function deleteForgottenTotals(db: Db, before: Date): Promise<void> {
  // One look-up in the index for each day: a join could read all totals.
  const { rows } = await sql<DayOfCluster>`
    select f.cluster_id as "clusterId", f.day from folded_day f, lateral (
      select from workload_running_total r where r.cluster_id = f.cluster_id and r.day = f.day limit 1) found
    where f.running_since is null and f.day < ${before}`.execute(db)
  await deleteTotals(db, rows)
}

type DayOfCluster = { clusterId: string; day: Date }

async function deleteTotals(db: Db, days: readonly DayOfCluster[]): Promise<void> {
  for (const { clusterId, day } of days)
    await sql`delete from workload_running_total where cluster_id = ${clusterId} and day = ${day}`.execute(db)
}
