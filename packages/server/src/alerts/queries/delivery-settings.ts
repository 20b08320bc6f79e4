import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
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
