import { deleteExpiredAgentTokens } from '../db/agent-tokens.ts'
import { listUnpurgedClusters } from '../db/clusters.ts'
import { listClustersToFold } from '../db/fold-queue.ts'
import { deleteOldAnswers } from '../db/idempotency.ts'
import { enqueue } from '../db/job-queue.ts'
import { deleteExpiredLinks } from '../db/one-time-links.ts'
import { deleteClosedWindows } from '../db/rate-limits.ts'
import { listRepricing } from '../db/repricing.ts'
import { deleteRetiredSigningKeys } from '../db/secrets.ts'
import { deleteExpiredSessions } from '../db/sessions.ts'
import { deleteOldJobs } from '../db/sync-jobs.ts'
import type { Deps } from '../deps.ts'

const jobLifeMs = 7 * 24 * 3_600_000

/** What has expired is refused when it is read; this gives the space back, and wakes what was forgotten. */
export async function sweep({ db, now }: Deps): Promise<void> {
  await deleteClosedWindows(db)
  await deleteExpiredSessions(db, now())
  await deleteExpiredLinks(db, now())
  await deleteOldAnswers(db, now())
  await deleteOldJobs(db, new Date(now().getTime() - jobLifeMs))
  await deleteExpiredAgentTokens(db, now())
  await deleteRetiredSigningKeys(db, now())
  for (const clusterId of await listClustersToFold(db, now()))
    await enqueue(db, 'fold', { clusterId }, { key: `fold ${clusterId}` })
  for (const clusterId of await listUnpurgedClusters(db))
    await enqueue(db, 'purge-cluster', { clusterId }, { key: `purge ${clusterId}` })
  if ((await listRepricing(db)).length > 0) await enqueue(db, 'reprice', {}, { key: 'reprice' })
}
