import { createHmac } from 'node:crypto'
import type { DeliveryError } from '@plimsoll/contract'
import { channelKindOf, type Message, type Rendering } from '@plimsoll/engine/messages'
import type { Deps } from '../platform/deps.ts'
import { AddressGuard } from '../platform/outbound/address-guard.ts'
import { postGuarded } from '../platform/outbound/post.ts'
import { openAddress, postUrl, type ChannelAddress } from './channel-address.ts'
import type { ChannelRow } from './queries/channels.ts'
import type { ClaimedDelivery } from './queries/outbox.ts'
import { parseRetryAfter } from './retry-schedule.ts'
import { sendMail } from './send-mail.ts'

/** How long a try may take. */
export const tryMsMax = 15_000

export type TryResult = {
  status: number | null
  /** Null: delivered. */
  error: DeliveryError | null
  durationMs: number
  /** The wait that the receiver requests. */
  retryAfterMs?: number | undefined
  /** The address no longer exists. */
  isGone?: boolean
}

export type SendDeps = Pick<Deps, 'secrets' | 'settings' | 'now'>

/** One try. It never throws for a receiver, and its result holds nothing of the answer but the status. */
export async function sendMessage(
  deps: SendDeps,
  channel: ChannelRow,
  { deliveryId, message }: Pick<ClaimedDelivery, 'deliveryId' | 'message'>,
): Promise<TryResult> {
  const startedMs = performance.now()
  const address = openAddress(deps.secrets, channel)
  const rendering = renderingOf(deps, deliveryId, address)
  const result = await transmit(deps, { channel, address, rendering, message: absolute(message, deps.settings) })
  return { ...result, durationMs: Math.round(performance.now() - startedMs) }
}

type Transmission = { channel: ChannelRow; address: ChannelAddress; rendering: Rendering; message: Message }

async function transmit(
  { settings, now }: SendDeps,
  { channel: { kind }, address, rendering, message }: Transmission,
): Promise<Omit<TryResult, 'durationMs'>> {
  const value = channelKindOf(kind)
  if (value.transport === 'smtp') {
    const { status, error } = await sendMail(settings.smtp, address.recipients ?? [], {
      mail: value.render(message, rendering),
      msMax: tryMsMax,
    })
    return { status, error: error ?? (status !== null && value.isAccepted(status) ? null : 'rejected') }
  }
  const { headers, body } = value.render(message, rendering)
  const guard = new AddressGuard(settings.outboundNetworks)
  const answer = await postGuarded({ url: postUrl(kind, address), headers, body, guard, msMax: tryMsMax })
  if (answer.kind === 'failed') return { status: null, error: answer.error }
  const { status, retryAfter } = answer
  if (value.isAccepted(status)) return { status, error: null }
  return {
    status,
    error: status >= 300 && status < 400 ? 'redirect' : 'status',
    retryAfterMs: parseRetryAfter(retryAfter, now()),
    isGone: value.disabledBy.includes(status),
  }
}

const renderingOf = ({ settings, now }: SendDeps, deliveryId: string, address: ChannelAddress): Rendering => ({
  deliveryId,
  sentAt: now(),
  sign: (text) => sign(text, address.secret ?? ''),
  routingKey: address.routingKey ?? '',
  source: new URL(settings.publicUrl).hostname,
  settingsUrl: `${settings.publicUrl}/settings`,
})

function sign(text: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  return createHmac('sha256', key).update(text).digest('base64')
}

/** The cause of a message does not know the public address. */
const absolute = (message: Message, { publicUrl }: { publicUrl: string }): Message => ({
  ...message,
  links: message.links.map(({ label, url }) => ({ label, url: url.startsWith('/') ? publicUrl + url : url })),
})
