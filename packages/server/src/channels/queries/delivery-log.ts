import type { DeliveryError, DeliveryState } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type LoggedTry = { at: string; status: number | null; duration_ms: number; error: DeliveryError | null }

export type LoggedDelivery = {
  delivery_id: string
  position: string
  event: string
  title: string
  state: DeliveryState
  queued_at: Date
  due_at: Date
  ended_at: Date | null
  tries: LoggedTry[]
}

export type DeliveryPage = {
  channelId: string
  state: DeliveryState | undefined
  after: string | undefined
  limit: number
}

const triesShown = 20

/** Newest first, each with its newest tries. */
export async function listDeliveries(
  db: Db,
  { channelId, state, after, limit }: DeliveryPage,
): Promise<LoggedDelivery[]> {
  const { rows } = await sql<LoggedDelivery>`
    select d.delivery_id, d.position, d.message ->> 'event' as event, d.message ->> 'title' as title, d.state,
      d.queued_at, d.due_at, d.ended_at, coalesce(t.tries, '[]') as tries
    from delivery d
    left join lateral (
      select jsonb_agg(jsonb_build_object(
        'at', at, 'status', status, 'duration_ms', duration_ms, 'error', error) order by number desc) as tries
      from (select * from delivery_try where delivery_id = d.delivery_id order by number desc limit ${triesShown}) n
    ) t on true
    where d.channel_id = ${channelId} and (${state ?? null}::text is null or d.state = ${state ?? null})
      and (${after ?? null}::bigint is null or d.position < ${after ?? null}::bigint)
    order by d.position desc limit ${limit}`.execute(db)
  return rows
}
