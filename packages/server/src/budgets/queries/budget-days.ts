import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The hours of a day that are finalised. `isRead`: the stored sums of the day are from these hours. */
export type DayState = { day: number; hours: number; signature: string; end: Date; isRead: boolean }

/** From all hours of the cluster. */
export async function listDayStates(tx: Db, clusterId: string, since: Date): Promise<DayState[]> {
  const { rows } = await sql<DayState>`
    with written as (
      select floor(extract(epoch from hour) / 86400)::int as day, count(*)::int as hours, max(hour) + interval '1 hour' as end,
        concat_ws(' ', count(*), sum(revision)) as signature
      from folded_hour where cluster_id = ${clusterId} and hour >= ${since} group by 1)
    select written.day, written.hours, "end", written.signature,
      r.signature is not distinct from written.signature as "isRead"
    from written left join budget_day_read r on r.cluster_id = ${clusterId} and r.day = written.day order by written.day`.execute(
    tx,
  )
  return rows
}

/** As they were when the days were summed up. */
export async function listReadDays(tx: Db, clusterId: string, since: number): Promise<DayState[]> {
  const { rows } = await sql<DayState>`
    select day, hours, signature, ended_at as "end", true as "isRead" from budget_day_read
    where cluster_id = ${clusterId} and day >= ${since} and ended_at is not null order by day`.execute(tx)
  return rows
}

/** Whether the stored sums of a day are still from the same hours. Other evaluations wait. */
export async function lockReadDay(tx: Db, clusterId: string, { day, signature }: DayState): Promise<boolean> {
  const row = await tx
    .selectFrom('budget_day_read')
    .select('signature')
    .where('cluster_id', '=', clusterId)
    .where('day', '=', day)
    .forShare()
    .executeTakeFirst()
  return row?.signature === signature
}

type BudgetDay = { budget_id: string; usd: string }

/** Replaces the sums of these budgets in a day. A day without cost has no row. */
export async function writeDay(tx: Db, clusterId: string, day: number, rows: readonly BudgetDay[]): Promise<void> {
  const ids = rows.map(({ budget_id: id }) => id)
  const withCost = rows.filter(({ usd }) => Number(usd) !== 0)
  await sql`
    delete from budget_day where cluster_id = ${clusterId} and day = ${day} and budget_id = any(${ids})`.execute(tx)
  if (withCost.length === 0) return
  await sql`
    insert into budget_day (cluster_id, budget_id, day, usd)
    select ${clusterId}, budget_id, ${day}::integer, usd
    from jsonb_to_recordset(${JSON.stringify(withCost)}::jsonb) as written (budget_id text, usd numeric)
    on conflict (cluster_id, budget_id, day) do update set usd = excluded.usd`.execute(tx)
}

export async function writeDayRead(tx: Db, clusterId: string, state: DayState): Promise<void> {
  const { day, signature, hours, end } = state
  const values = { signature, hours, ended_at: end }
  await tx
    .insertInto('budget_day_read')
    .values({ cluster_id: clusterId, day, ...values })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'day']).doUpdateSet(values))
    .execute()
}

/** Sums over all clusters, in order of the days. Exact decimals, as text. */
export async function sumBudgetDays(tx: Db, budgetIds: readonly string[], since: number) {
  const { rows } = await sql<{ budgetId: string; day: number; usd: string }>`
    select budget_id as "budgetId", day, sum(usd)::text as usd from budget_day
    where budget_id = any(${[...budgetIds]}) and day >= ${since} group by 1, 2 order by 2`.execute(tx)
  return rows
}

/** Sums over all days. */
export async function sumBudgetClusters(tx: Db, budgetIds: readonly string[], since: number) {
  const { rows } = await sql<{ budgetId: string; clusterId: string; usd: number }>`
    select budget_id as "budgetId", cluster_id as "clusterId", sum(usd)::double precision as usd from budget_day
    where budget_id = any(${[...budgetIds]}) and day >= ${since} group by 1, 2`.execute(tx)
  return rows
}

/** For `deleteInChunks`. */
export const oldDays = (before: number) => sql`day < ${before}`
