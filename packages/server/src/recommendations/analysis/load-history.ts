import { type History, historyQuestions } from '@plimsoll/pipeline/facts'
import type { FoldState } from '@plimsoll/pipeline/fold'
import {
  countHoursOfWeek,
  listClassPeaks,
  listLastUses,
  listNamespacePeaks,
  listNamespaceRhythms,
  listReplicaPeaks,
  listRestingLabels,
  listRunCosts,
  listScalingHistories,
} from '../queries/analysis-history.ts'
import type { Db } from '../../platform/db/database.ts'

export async function loadHistory(tx: Db, clusterId: string, state: FoldState, now: Date): Promise<History> {
  const needed = historyQuestions(state)
  return {
    lastUses: await listLastUses(tx, clusterId, needed.unusedUids, now),
    scaling: await listScalingHistories(tx, clusterId, needed.scaled, now),
    rhythms: await listNamespaceRhythms(tx, clusterId, needed.nonProductionNamespaces, now),
    peaks: await listNamespacePeaks(tx, clusterId, needed.quotaNamespaces, now),
    runCosts: await listRunCosts(tx, clusterId, needed.failingCronJobs, now),
    restingLabels: await listRestingLabels(tx, clusterId, needed.restingCronJobs, now),
    classPeaks: await listClassPeaks(tx, clusterId, now),
    replicaPeaks: await listReplicaPeaks(tx, clusterId, needed.scaled, now),
    hoursKnown: await countHoursOfWeek(tx, clusterId, now),
  }
}
