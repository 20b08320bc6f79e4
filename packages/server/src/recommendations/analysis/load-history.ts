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
  const asked = historyQuestions(state)
  return {
    lastUses: await listLastUses(tx, clusterId, asked.unusedUids, now),
    scaling: await listScalingHistories(tx, clusterId, asked.scaled, now),
    rhythms: await listNamespaceRhythms(tx, clusterId, asked.nonProductionNamespaces, now),
    peaks: await listNamespacePeaks(tx, clusterId, asked.quotaNamespaces, now),
    runCosts: await listRunCosts(tx, clusterId, asked.failingCronJobs, now),
    restingLabels: await listRestingLabels(tx, clusterId, asked.restingCronJobs, now),
    classPeaks: await listClassPeaks(tx, clusterId, now),
    replicaPeaks: await listReplicaPeaks(tx, clusterId, asked.scaled, now),
    hoursKnown: await countHoursOfWeek(tx, clusterId, now),
  }
}
