import type { Message } from '@plimsoll/engine/messages'
import type { ChannelKindName } from '@plimsoll/contract'
import { queueMessage } from '../src/channels/queue-message.ts'
import { newId } from '../src/platform/ids.ts'
import { addressOf, sealAddress, shownHost, type AddressFields } from '../src/channels/channel-address.ts'
import { insertChannel } from '../src/channels/queries/channels.ts'
import type { Deps } from '../src/platform/deps.ts'

let counter = 0

/** A channel in the database, with its secret. */
export async function aChannel(
  { db, secrets, now }: Pick<Deps, 'db' | 'secrets' | 'now'>,
  kind: ChannelKindName,
  fields: AddressFields,
): Promise<{ channelId: string; secret: string }> {
  const channelId = newId('chn', now())
  const address = addressOf(kind, fields)
  await insertChannel(db, {
    channel_id: channelId,
    name: `channel ${(counter += 1)} ${channelId}`,
    kind,
    host: shownHost(kind, address),
    sealed: sealAddress(secrets, channelId, address),
    events: null,
    created_at: now(),
  })
  return { channelId, secret: address.secret ?? '' }
}

export const aMessage = (changes: Partial<Message> = {}): Message => ({
  event: 'cluster_silent',
  severity: 'warning',
  title: 'No data from cluster prod',
  facts: [{ label: 'Cluster', value: 'prod' }],
  money: null,
  links: [{ label: 'Open the cluster', url: '/clusters/cls_1' }],
  dedupKey: 'cluster_silent:cls_1',
  startedAt: '2026-03-01T11:30:00.000Z',
  endedAt: null,
  ...changes,
})

/** Queues a message in a separate transaction. */
export const queue = ({ db, now }: Pick<Deps, 'db' | 'now'>, message: Message, transition = 'firing'): Promise<void> =>
  db.transaction().execute((tx) => queueMessage(tx, { message, transition }, now()))
