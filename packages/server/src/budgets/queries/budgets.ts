import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import type { StoredOutlook } from '../../platform/db/tables/budgets.ts'
import { deleteAnswersAbout } from '../../platform/http/queries/idempotency.ts'

export type BudgetRow = Selectable<Tables['budget']>
export type PeriodRow = Selectable<Tables['budget_period']>

/** By name. There are at most 1,000. */
export function listBudgets(db: Db): Promise<BudgetRow[]> {
  return db.selectFrom('budget').selectAll().orderBy('name').execute()
}

export function findBudget(db: Db, budgetId: string): Promise<BudgetRow | undefined> {
  return db.selectFrom('budget').selectAll().where('budget_id', '=', budgetId).executeTakeFirst()
}

/** Changes of budgets take turns: the tree and the number of budgets concern all of them. */
export async function lockBudgets(tx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('plimsoll budgets', 0))`.execute(tx)
}

export type NewBudget = Omit<BudgetRow, 'revision' | 'current' | 'is_counted' | 'counted_mapping' | 'updated_at'>

const stored = ({ scope, amounts, thresholds }: Pick<BudgetRow, 'scope' | 'amounts' | 'thresholds'>) => ({
  scope: JSON.stringify(scope),
  amounts: JSON.stringify(amounts),
  thresholds: JSON.stringify(thresholds),
})

export async function insertBudget(tx: Db, row: NewBudget): Promise<void> {
  await tx
    .insertInto('budget')
    .values({ ...row, ...stored(row), updated_at: row.created_at })
    .execute()
}

export async function updateBudget(tx: Db, row: BudgetRow, now: Date): Promise<void> {
  const { budget_id: id, revision, current: _current, ...fields } = row
  await tx
    .updateTable('budget')
    .set({ ...fields, ...stored(row), revision: revision + 1, updated_at: now })
    .where('budget_id', '=', id)
    .execute()
}

/** The budget first: an evaluation that is writing its days ends before, and a later one finds no budget. */
export async function deleteBudget(tx: Db, budgetId: string): Promise<void> {
  await tx.deleteFrom('budget').where('budget_id', '=', budgetId).execute()
  await tx.deleteFrom('budget_day').where('budget_id', '=', budgetId).execute()
  await deleteAnswersAbout(tx, budgetId)
}

type Change = { budgetId: string; at: Date; userId: string; reason: string | null; before: object; after: object }

export async function recordBudgetChange(tx: Db, change: Change): Promise<void> {
  const { budgetId, at, userId, reason, before, after } = change
  const row = { budget_id: budgetId, at, made_by: userId, reason }
  await tx
    .insertInto('budget_change')
    .values({ ...row, before: JSON.stringify(before), after: JSON.stringify(after) })
    .execute()
}

const changesShownMax = 200

/** Newest first. `by` is null if the user was deleted. */
export function listBudgetChanges(db: Db, budgetId: string) {
  return db
    .selectFrom('budget_change')
    .leftJoin('app_user', (join) => join.on(sql`app_user.user_id::text`, '=', sql.ref('budget_change.made_by')))
    .select(['at', 'app_user.email as by', 'reason', 'before', 'after'])
    .where('budget_id', '=', budgetId)
    .orderBy('position', 'desc')
    .limit(changesShownMax)
    .execute()
}

/** The open period and twelve earlier ones of each budget, newest first. */
export async function listPeriods(db: Db, budgetIds: readonly string[]): Promise<PeriodRow[]> {
  const { rows } = await sql<PeriodRow>`
    select p.* from unnest(${[...budgetIds]}::text[]) as asked (id)
    cross join lateral (
      select * from budget_period where budget_id = asked.id order by first_day desc limit ${periodsListed}) p
    order by first_day desc`.execute(db)
  return rows
}

const amountWritten = sql<string>`(
  select case when b.amount_day >= excluded.end_day and not b.amounts ? excluded.key
    then budget_period.amount else excluded.amount end
  from budget b where b.budget_id = excluded.budget_id)`

const periodsListed = 13

/** The stored periods with this key. */
export async function listPeriodsOf(db: Db, budgetIds: readonly string[], key: string): Promise<PeriodRow[]> {
  if (budgetIds.length === 0) return []
  return db.selectFrom('budget_period').selectAll().where('budget_id', 'in', budgetIds).where('key', '=', key).execute()
}

/** A frozen period stays as it is. A new amount does not change a period that ended before a user set it. */
export async function writePeriods(tx: Db, rows: readonly PeriodRow[]): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('budget_period')
    .values(rows.map((row) => ({ ...row, scope: JSON.stringify(row.scope) })))
    .onConflict((conflict) =>
      conflict
        .columns(['budget_id', 'key'])
        .doUpdateSet((eb) => ({
          first_day: eb.ref('excluded.first_day'),
          end_day: eb.ref('excluded.end_day'),
          amount: amountWritten,
          usd: eb.ref('excluded.usd'),
          is_frozen: eb.ref('excluded.is_frozen'),
          known_hours: eb.ref('excluded.known_hours'),
          scope: eb.ref('excluded.scope'),
        }))
        .where('budget_period.is_frozen', '=', false),
    )
    .execute()
}

/** Only if the budget did not change since it was read. */
export async function writeOutlooks(
  tx: Db,
  outlooks: readonly { budgetId: string; revision: number; current: StoredOutlook }[],
): Promise<void> {
  const rows = outlooks.map(({ budgetId, revision, current }) => ({ id: budgetId, revision, current }))
  await sql`
    update budget set current = written.current
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as written (id text, revision integer, current jsonb)
    where budget_id = written.id and budget.revision = written.revision`.execute(tx)
}
