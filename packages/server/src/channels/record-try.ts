import { recordChange } from '../audit/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import { disableGoneChannel, type ChannelRow } from './queries/channels.ts'
import { endDelivery, endWaiting, insertTry, postpone, type ClaimedDelivery } from './queries/outbox.ts'
import { nextTryAt } from './retry-schedule.ts'
import type { TryResult } from './send-message.ts'

export type Attempt = { channel: ChannelRow; delivery: ClaimedDelivery; result: TryResult; startedAt: Date }

/** Logs a try, and decides what follows: delivered, another try, or dead. */
export async function recordTry(deps: Deps, tx: Db, { channel, delivery, result, startedAt }: Attempt): Promise<void> {
  const { status, error, durationMs, retryAfterMs, isGone = false } = result
  const now = deps.now()
  await insertTry(tx, delivery, { at: startedAt, durationMs, status, error })
  if (error === null) return endDelivery(tx, delivery, 'delivered', now)
  const next = isGone ? undefined : nextTryAt({ ...delivery, retryAfterMs, now })
  if (next) return postpone(tx, delivery, next)
  await endDelivery(tx, delivery, 'dead', now)
  deps.log.warn(
    { channelId: channel.channel_id, deliveryId: delivery.deliveryId, status, error },
    'delivery failed after the last try; the message is not sent again',
  )
  if (isGone) await disableGone(deps, tx, channel, now)
}

/** The waiting messages can be sent again after a user has corrected the address. */
async function disableGone(deps: Deps, tx: Db, { channel_id: id, name }: ChannelRow, now: Date): Promise<void> {
  if (!(await disableGoneChannel(tx, id, now))) return
  await endWaiting(tx, id, 'dead', now)
  const target = { type: 'channel' as const, id }
  await recordChange(deps, tx, 'system', { action: 'channel.disable', target, detail: { name } })
}
