import type { Deps } from '../../platform/deps.ts'
import { lockChannel, type ChannelRow } from '../queries/channels.ts'
import { claimDeliveries, nextDueAt, type ClaimedDelivery } from '../queries/outbox.ts'
import { recordTry } from '../record-try.ts'
import { sendMessage, tryMsMax, type TryResult } from '../send-message.ts'

/** Tries at the same time to one channel, over all servers. */
export const atOnceMax = 4

/** Longer than a try: after this time its server is considered dead, and another server sends the message again. */
export const claimMs = 4 * tryMsMax

/**
 * Sends all due messages of a channel, and returns when the next one is due. Safe to run on several servers at once.
 * No transaction is open while a receiver answers. A server that crashes between two steps leaves a claim that expires, so
 * the message is sent again with the same id.
 */
export async function deliverChannel(
  deps: Deps,
  channelId: string,
  isStopping: () => boolean = () => false,
): Promise<Date | undefined> {
  const running = new Set<Promise<void>>()
  for (;;) {
    const claimed = isStopping() ? [] : await claim(deps, channelId)
    for (const [channel, delivery] of claimed) {
      const trying = tryOnce(deps, channel, delivery).finally(() => running.delete(trying))
      running.add(trying)
    }
    if (running.size === 0) return nextDueAt(deps.db, { channelId, now: deps.now(), atOnceMax })
    await Promise.race(running)
  }
}

function claim({ db, now }: Deps, channelId: string): Promise<[ChannelRow, ClaimedDelivery][]> {
  const until = new Date(now().getTime() + claimMs)
  return db.transaction().execute(async (tx) => {
    const channel = await lockChannel(tx, channelId)
    if (channel?.disabled_reason !== null) return []
    const deliveries = await claimDeliveries(tx, { channelId, now: now(), until, atOnceMax })
    return deliveries.map((delivery) => [channel, delivery])
  })
}

/** A result that cannot be stored is logged: the claim ends, and the message is sent again. */
async function tryOnce(deps: Deps, channel: ChannelRow, delivery: ClaimedDelivery): Promise<void> {
  const startedAt = deps.now()
  try {
    const result = await sendMessage(deps, channel, delivery).catch((error: unknown) => unsendable(deps, error))
    await deps.db.transaction().execute((tx) => recordTry(deps, tx, { channel, delivery, result, startedAt }))
  } catch (error) {
    deps.log.error(
      { err: error, deliveryId: delivery.deliveryId },
      'cannot store the result of a delivery; the message may be sent twice',
    )
  }
}

/** A message that cannot be rendered or an address that cannot be decrypted: it ends like any failed delivery. */
function unsendable({ log }: Deps, error: unknown): TryResult {
  log.error({ err: error }, 'cannot prepare a message for delivery')
  return { status: null, error: 'internal', durationMs: 0 }
}
