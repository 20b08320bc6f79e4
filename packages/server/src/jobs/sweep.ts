import { deleteOldAnswers } from '../db/idempotency.ts'
import { enqueue } from '../db/job-queue.ts'
import { deleteExpiredLinks } from '../db/one-time-links.ts'
import { deleteClosedWindows } from '../db/rate-limits.ts'
import { listRepricing } from '../db/repricing.ts'
import { deleteExpiredSessions } from '../db/sessions.ts'
import type { Deps } from '../deps.ts'

/** What has expired is refused when it is read; this gives the space back, and sees to work whose job was lost. */
export async function sweep({ db, now }: Deps): Promise<void> {
  await deleteClosedWindows(db)
  await deleteExpiredSessions(db, now())
  await deleteExpiredLinks(db, now())
  await deleteOldAnswers(db, now())
  if ((await listRepricing(db)).length > 0) await enqueue(db, 'reprice', {}, { key: 'reprice' })
}
