import type { Message } from '@plimsoll/engine/messages'
import type { Db } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { listReceivers } from './queries/channels.ts'
import { cancelUnsent, insertDeliveries, listInformedChannels } from './queries/outbox.ts'
import { triesPerRound } from './retry-schedule.ts'

/** Longer keys would not fit into the messages of PagerDuty. */
const dedupKeyLengthMax = 255

/**
 * Queues a message for all channels that receive its event. Call it in the transaction of the cause: the message is
 * queued if and only if the cause is stored. `transition` names the change of state among all messages with the same
 * `dedupKey`, and queueing it twice has no effect. The caller must serialize the transitions of one key, for example by
 * a lock on the row of its alert. Links may be paths of the dashboard.
 *
 * The end of an event goes to the channels that were told of the event. If the event was never sent, neither is its end.
 */
export async function queueMessage(
  tx: Db,
  { message, transition }: { message: Message; transition: string },
  now: Date,
): Promise<void> {
  const { dedupKey, endedAt, event } = message
  if (dedupKey.length > dedupKeyLengthMax) throw new Error(`the key of the message is too long: ${dedupKey}`)
  if (endedAt !== null) await cancelUnsent(tx, dedupKey, now)
  const channelIds = endedAt === null ? await listReceivers(tx, event) : await listInformedChannels(tx, dedupKey)
  const deliveries = channelIds.map((channelId) => ({
    deliveryId: newId('msg', now),
    channelId,
    message,
    transition,
    triesMax: triesPerRound,
  }))
  for (const channelId of await insertDeliveries(tx, deliveries, now)) await enqueue(tx, 'deliver', { channelId })
}
