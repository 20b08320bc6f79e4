import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** The clusters with finalized or repriced hours since the last evaluation. Null: all, because there was none. */
export type NewHours = { clusterIds: ReadonlySet<string> | null; lastEvent: string }

export async function listNewHours(db: Db): Promise<NewHours> {
  const { rows } = await sql<{ counted: string | null; lastEvent: string }>`
    select counted_event::text as counted, (select coalesce(max(event_id), 0)::text from event) as "lastEvent"
    from budget_state`.execute(db)
  const { counted = null, lastEvent = '0' } = rows[0] ?? {}
  if (counted === null) return { clusterIds: null, lastEvent }
  const { rows: changed } = await sql<{ id: string }>`
    select distinct cluster_id as id from event
    where event_id > ${counted}::bigint and kind like 'hour.%' and cluster_id is not null`.execute(db)
  return { clusterIds: new Set(changed.map(({ id }) => id)), lastEvent }
}

export async function noteCounted(db: Db, lastEvent: string): Promise<void> {
  await db.updateTable('budget_state').set({ counted_event: lastEvent }).execute()
}

/** Sets how far the days of budgets are summed up, unless somebody edited the budget meanwhile. */
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
