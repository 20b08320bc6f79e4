import { reportKinds, type Message } from '@plimsoll/engine/messages'
import type { Db } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { listReceivers } from './queries/channels.ts'
import { cancelUnsent, insertDeliveries, listInformedChannels } from './queries/outbox.ts'
import { receiversFor } from './receivers.ts'
import { triesPerRound } from './retry-schedule.ts'

/** Longer keys would not fit into the messages of PagerDuty. */
const dedupKeyLengthMax = 255

export type QueuedMessage = { message: Message; transition: string }

/**
 * Queues a message for channels: for all without a team that receive its event, or for those in `channelIds`. Call it in the transaction
 * of the cause: the message is queued if and only if the cause is stored. `transition` names the change of state among all
 * messages with the same `dedupKey`, and queueing it twice has no effect. The caller must serialize the transitions of one
 * key, for example by a lock on the row of its alert. Links may be paths of the dashboard.
 *
 * The end of an event goes to the channels that received the event. If the event was never sent, neither is its end.
 */
export async function queueMessage(
  tx: Db,
  { channelIds, ...queued }: QueuedMessage & { channelIds?: readonly string[] },
  now: Date,
): Promise<void> {
  const { dedupKey, endedAt, event } = queued.message
  if (endedAt === null) return queueTo(tx, channelIds ?? receiversFor(await listReceivers(tx, event), []), queued, now)
  await cancelUnsent(tx, dedupKey, now)
  const informed = await listInformedChannels(tx, dedupKey)
  await queueTo(
    tx,
    informed.filter((id) => channelIds?.includes(id) ?? true),
    queued,
    now,
  )
}

/** A report has no end. It is not sent to receivers that keep an event open until its end, such as PagerDuty. */
export async function queueReport(tx: Db, queued: QueuedMessage, now: Date): Promise<void> {
  const receivers = await listReceivers(tx, queued.message.event, reportKinds)
  await queueTo(tx, receiversFor(receivers, []), queued, now)
}

/** For messages without an end of their own. */
export async function queueTo(
  tx: Db,
  channelIds: readonly string[],
  { message, transition }: QueuedMessage,
  now: Date,
): Promise<void> {
  if (message.dedupKey.length > dedupKeyLengthMax)
    throw new Error(`the key of the message is too long: ${message.dedupKey}`)
  const deliveries = channelIds.map((channelId) => ({
    deliveryId: newId('msg', now),
    channelId,
    message,
    transition,
    triesMax: triesPerRound,
  }))
  for (const channelId of await insertDeliveries(tx, deliveries, now)) await enqueue(tx, 'deliver', { channelId })
}
