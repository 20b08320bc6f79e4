import type { Db } from '../platform/db/database.ts'
import { deleteInChunks } from '../platform/db/delete-in-chunks.ts'
import { dayNumberOf } from './budget-span.ts'
import { daysCounted } from './count-days.ts'
import { oldDays } from './queries/budget-days.ts'

/** Frozen periods keep their cost, so the sums of older days are no longer needed. */
export async function deleteOldDays(db: Db, now: Date): Promise<void> {
  const before = dayNumberOf(now) - daysCounted
  await deleteInChunks(db, 'budget_day', oldDays(before))
  await deleteInChunks(db, 'budget_day_read', oldDays(before))
}
