import { isEvaluationDue, listDueNotices, noteMissingChannels } from '../alerts/index.ts'
import { deleteExpiredAgentTokens } from '../platform/auth/queries/agent-tokens.ts'
import { cancelForDisabled, listDueChannels } from '../channels/index.ts'
import { deleteOldJobs, failHungSyncs, listUnpurgedClusters, recordConnections } from '../clusters/index.ts'
import { foldLater, listClustersToFold, spreadClusters } from '../ingest/index.ts'
import { deleteOldAnswers } from '../platform/http/queries/idempotency.ts'
import { enqueue, isQueued } from '../platform/jobs/job-queue.ts'
import { deleteExpiredLinks } from '../platform/auth/queries/one-time-links.ts'
import { deleteClosedWindows } from '../platform/http/queries/request-counts.ts'
import { listRepricing } from '../prices/index.ts'
import { deleteRetiredSigningKeys } from '../platform/auth/queries/secrets.ts'
import { areStatementsDue } from '../statements/index.ts'
import { deleteExpiredSessions } from '../platform/auth/queries/sessions.ts'
import type { Deps } from '../platform/deps.ts'

const jobLifeMs = 7 * 24 * 3_600_000

/** Expired rows are rejected on read; this frees their space, and restarts lost work. */
export async function sweep({ db, now }: Deps): Promise<void> {
  await deleteClosedWindows(db)
  await deleteExpiredSessions(db, now())
  await deleteExpiredLinks(db, now())
  await deleteOldAnswers(db, now())
  await failHungSyncs(db, now())
  await recordConnections(db, now())
  await deleteOldJobs(db, new Date(now().getTime() - jobLifeMs))
  await deleteExpiredAgentTokens(db, now())
  await deleteRetiredSigningKeys(db, now())
  await spreadClusters(db)
  for (const { clusterId, isOverdue } of await listClustersToFold(db, now()))
    await foldLater(db, clusterId, { anywhere: isOverdue })
  for (const clusterId of await listUnpurgedClusters(db)) await enqueue(db, 'purge-cluster', { clusterId })
  await cancelForDisabled(db, now())
  await noteMissingChannels(db)
  if (await isEvaluationDue(db, now())) await enqueue(db, 'evaluate-alerts', {})
  for (const channelId of await listDueNotices(db, now())) await enqueue(db, 'notify', { channelId })
  for (const channelId of await listDueChannels(db, now())) await enqueue(db, 'deliver', { channelId })
  // A job that failed waits for its next attempt.
  if ((await areStatementsDue(db, now())) && !(await isQueued(db, 'send-statements', {})))
    await enqueue(db, 'send-statements', {})
  if ((await listRepricing(db)).length > 0) await enqueue(db, 'reprice', {})
}
