import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findEventHorizon, isEventAfter } from '../../platform/events.ts'

/** The clusters with finalised or repriced hours since the last evaluation. Null: all, because there was none. */
export type NewHours = { clusterIds: ReadonlySet<string> | null; horizon: string }

export async function listNewHours(db: Db): Promise<NewHours> {
  const horizon = await findEventHorizon(db)
  const { rows } = await sql<{ counted: string | null }>`
    select counted_xid::text as counted from budget_state`.execute(db)
  const counted = rows[0]?.counted ?? null
  if (counted === null) return { clusterIds: null, horizon }
  const { rows: changed } = await sql<{ id: string }>`
    select distinct cluster_id as id from event
    where ${isEventAfter(sql`${counted}`)} and kind like 'hour.%' and cluster_id is not null`.execute(db)
  return { clusterIds: new Set(changed.map(({ id }) => id)), horizon }
}

export async function noteCounted(db: Db, horizon: string): Promise<void> {
  await db.updateTable('budget_state').set({ counted_xid: horizon }).execute()
}

/** Sets how far the days of budgets are summed up, unless a user edited the budget meanwhile. */
export async function markCounted(
  tx: Db,
  budgets: readonly { budget_id: string; revision: number }[],
  mapping: number,
): Promise<void> {
  for (const { budget_id: id, revision } of budgets)
    await tx
      .updateTable('budget')
      .set({ is_counted: true, counted_mapping: mapping })
      .where('budget_id', '=', id)
      .where('revision', '=', revision)
      .execute()
}

/** Edits of these budgets and of the mapping wait until the transaction ends. */
export async function lockRevisions(tx: Db, budgetIds: readonly string[]) {
  const rows = await tx
    .selectFrom('budget')
    .select(['budget_id', 'revision'])
    .where('budget_id', '=', sql<string>`any(${[...budgetIds]})`)
    .forShare()
    .execute()
  return new Map(rows.map(({ budget_id: id, revision }) => [id, revision]))
}
