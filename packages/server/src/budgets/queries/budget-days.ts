import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The hours of a day that are finalized. */
export type DayState = { day: number; hours: number; signature: string; end: Date; isRead: boolean }

/** Whether the sums of a day are up to date: its hours and the team mapping did not change. */
export async function listDayStates(tx: Db, clusterId: string, since: Date): Promise<DayState[]> {
  const { rows } = await sql<DayState>`
    with written as (
      select floor(extract(epoch from hour) / 86400)::int as day, count(*)::int as hours, max(hour) + interval '1 hour' as end,
        concat_ws(' ', count(*), sum(revision), (select revision from team_mapping)) as signature
      from folded_hour where cluster_id = ${clusterId} and hour >= ${since} group by 1)
    select written.day, hours, "end", written.signature, r.signature is not distinct from written.signature as "isRead"
    from written left join budget_day_read r on r.cluster_id = ${clusterId} and r.day = written.day order by written.day`.execute(
    tx,
  )
  return rows
}

type BudgetDay = { budget_id: string; day: number; usd: string }

/** Replaces the sums of these budgets and days. */
export async function writeDays(tx: Db, clusterId: string, rows: readonly BudgetDay[]): Promise<void> {
  await sql`
    insert into budget_day (cluster_id, budget_id, day, usd)
    select ${clusterId}, budget_id, day, usd
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as written (budget_id text, day integer, usd numeric)
    where exists (select from budget b where b.budget_id = written.budget_id)
    on conflict (cluster_id, budget_id, day) do update set usd = excluded.usd`.execute(tx)
}

export async function writeDayRead(tx: Db, clusterId: string, { day, signature }: DayState): Promise<void> {
  await tx
    .insertInto('budget_day_read')
    .values({ cluster_id: clusterId, day, signature })
    .onConflict((conflict) => conflict.columns(['cluster_id', 'day']).doUpdateSet({ signature }))
    .execute()
}

export async function markCounted(tx: Db, budgets: readonly { budget_id: string; revision: number }[]): Promise<void> {
  for (const { budget_id: id, revision } of budgets)
    await tx
      .updateTable('budget')
      .set({ is_counted: true })
      .where('budget_id', '=', id)
      .where('revision', '=', revision)
      .execute()
}

/** Sums over all clusters, in order of the days. Exact decimals, as text. */
export async function sumBudgetDays(tx: Db, budgetIds: readonly string[], since: number) {
  const { rows } = await sql<{ budgetId: string; day: number; usd: string }>`
    select budget_id as "budgetId", day, sum(usd)::text as usd from budget_day
    where budget_id = any(${[...budgetIds]}) and day >= ${since} group by 1, 2 order by 2`.execute(tx)
  return rows
}
