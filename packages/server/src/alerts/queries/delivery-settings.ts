import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { findEventHorizon, isEventAfter } from '../../platform/events.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type DeliverySettings = Selectable<Tables['alert_delivery']>

export function findDelivery(db: Db): Promise<DeliverySettings> {
  return db.selectFrom('alert_delivery').selectAll().executeTakeFirstOrThrow()
}

export function lockDelivery(tx: Db): Promise<DeliverySettings> {
  return tx.selectFrom('alert_delivery').selectAll().forUpdate().executeTakeFirstOrThrow()
}

type QuietEdit = Pick<DeliverySettings, 'quiet_from' | 'quiet_to' | 'quiet_weekends' | 'sends_digest'>

export async function writeDelivery(tx: Db, edit: QuietEdit): Promise<void> {
  await tx
    .updateTable('alert_delivery')
    .set((eb) => ({ ...edit, revision: eb('revision', '+', 1) }))
    .execute()
}

/** Conditions without an event, such as the age of a recommendation, are evaluated this often. */
const evaluationMs = 15 * 60_000

/** An evaluation reads all clusters. Many clusters finalise an hour within minutes, so one evaluation serves several. */
const pauseMs = 5 * 60_000

/** An hour was finalised or repriced since the last evaluation, or the last evaluation is old. */
export async function isEvaluationDue(db: Db, now: Date): Promise<boolean> {
  const { rows } = await sql<{ isDue: boolean }>`
    select evaluated_at is null or evaluated_at <= ${new Date(now.getTime() - evaluationMs)}
      or (evaluated_at <= ${new Date(now.getTime() - pauseMs)}
        and exists (select from event where ${isEventAfter(sql.ref('evaluated_xid'))} and kind like 'hour.%')) as "isDue"
    from alert_delivery`.execute(db)
  return rows[0]?.isDue ?? false
}

/** Before the evaluation reads its figures, so that a later event leads to another one. */
export async function noteEvaluated(db: Db, now: Date): Promise<void> {
  await sql`
    update alert_delivery set evaluated_at = ${now}, evaluated_xid = ${await findEventHorizon(db)}::xid8`.execute(db)
}

export async function noteDigest(tx: Db, now: Date): Promise<void> {
  await tx.updateTable('alert_delivery').set({ digest_at: now }).execute()
}
