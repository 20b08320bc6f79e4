import {
  deleteForgottenContainers,
  deleteOldBackfills,
  deleteOldBatches,
  deleteOldRunningTotals,
  detailDaysKept,
  keepEndPrices,
  podDaysKept,
  usageDaysKept,
} from '../ingest/index.ts'
import { deleteOldAlerts } from '../alerts/index.ts'
import { deleteOldDays } from '../budgets/index.ts'
import { deleteOldIncidents } from '../monitoring/index.ts'
import { deleteOldDeliveries } from '../channels/index.ts'
import { dropDaysBefore } from '../platform/db/partitions.ts'
import { deleteOldEvents } from '../platform/events.ts'
import { deleteOldSteps } from '../recommendations/index.ts'
import type { Deps } from '../platform/deps.ts'

/** Retention in days. Batch bodies are stored for two days after folding, so that an error can be investigated. */
const daysKept = {
  ingest_body: 3,
  workload_hour: detailDaysKept,
  node_hour: detailDaysKept,
  asset_hour: detailDaysKept,
  ...usageDaysKept,
  pod_day: podDaysKept,
}
const recordDaysKept = {
  ingest_batch: 35,
  workload_container: 35,
  backfill_checkpoint: 3,
  event: 35,
  delivery: 90,
  plan_step: 90,
  // A budget sends at most one message in a year, so its alert is kept longer than that.
  alert: 400,
  incident: 90,
}

/** Old days are deleted by dropping their partitions, which is cheap. */
export async function retention({ db, now }: Deps): Promise<void> {
  const before = (days: number) => new Date(now().getTime() - days * 86_400_000)
  // Some days earlier: the price of a node must be stored before its last hour is deleted.
  await keepEndPrices(db, before(detailDaysKept - 3))
  for (const table of Object.keys(daysKept) as (keyof typeof daysKept)[]) {
    await dropDaysBefore(db, table, before(daysKept[table]))
  }
  await deleteOldBatches(db, before(recordDaysKept.ingest_batch))
  await deleteForgottenContainers(db, before(recordDaysKept.workload_container))
  await deleteOldBackfills(db, before(recordDaysKept.backfill_checkpoint))
  await deleteOldDeliveries(db, before(recordDaysKept.delivery))
  await deleteOldEvents(db, before(recordDaysKept.event))
  await deleteOldAlerts(db, before(recordDaysKept.alert))
  await deleteOldIncidents(db, before(recordDaysKept.incident))
  await deleteOldSteps(db, before(recordDaysKept.plan_step))
  await deleteOldDays(db, now())
  await deleteOldRunningTotals(db, now())
}
