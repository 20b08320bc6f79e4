import type { RecommendationAction } from '@plimsoll/contract'
import type { Insertable, Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { recordEvents, type NewEvent } from '../../platform/events.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type HistoryRow = Selectable<Tables['recommendation_history']>
export type NewHistoryRow = Insertable<Tables['recommendation_history']>

const rowsAtOnce = 1000

/** `status`: a user decided. The other changes come from the analysis. */
export type RecommendationEvent = 'created' | 'updated' | 'status' | 'closed' | 'verification'

/** With an event for each, in the transaction of the move. */
export async function insertHistory(tx: Db, kind: RecommendationEvent, rows: readonly NewHistoryRow[]): Promise<void> {
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const some = rows.slice(from, from + rowsAtOnce)
    await tx.insertInto('recommendation_history').values(some).execute()
    await recordEvents(
      tx,
      some.map((row) => eventOf(kind, row)),
    )
  }
}

const eventOf = (kind: RecommendationEvent, row: NewHistoryRow): NewEvent => ({
  kind: `recommendation.${kind}`,
  at: row.at,
  clusterId: row.cluster_id,
  subject: { type: 'recommendation', id: row.recommendation_id },
  data: { action: row.action, from: row.from_status, to: row.to_status },
})

export function listHistory(db: Db, clusterId: string, id: string): Promise<HistoryRow[]> {
  return db
    .selectFrom('recommendation_history')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('recommendation_id', '=', id)
    .orderBy('position')
    .execute()
}

export async function findLastAction(db: Db, clusterId: string, id: string): Promise<RecommendationAction | null> {
  const row = await db
    .selectFrom('recommendation_history')
    .select('action')
    .where('cluster_id', '=', clusterId)
    .where('recommendation_id', '=', id)
    .where('actor_kind', 'is not', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.action ?? null) as RecommendationAction | null
}
