import { dayMs, hourMs } from '@plimsoll/engine'
import type { Db } from '../platform/db/database.ts'
import { monthBefore } from './month-windows.ts'
import { findSentMonth } from './queries/sending.ts'

/** From the start of a month to the 3rd, 07:00 UTC: late data of the month before has arrived by then. */
const waitMs = 2 * dayMs + 7 * hourMs

/** The newest month whose statements are ready to be sent. */
export const monthToSend = (now: Date): string => monthBefore(new Date(now.getTime() - waitMs))

/** True until the statements were sent, however long the service did not run. */
export async function areStatementsDue(db: Db, now: Date): Promise<boolean> {
  return (await findSentMonth(db)) < monthToSend(now)
}
