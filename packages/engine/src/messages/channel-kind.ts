import type { Message } from './message.ts'

/** What a rendering needs besides the message. */
export type Rendering = {
  /** The same in each try. */
  deliveryId: string
  sentAt: Date
  /** HMAC-SHA256 with the secret of the channel, as base64. */
  sign: (text: string) => string
  /** Of PagerDuty; other kinds have none. */
  routingKey: string
  /** The host name of this installation. */
  source: string
  /** Where a person changes the channel. */
  settingsUrl: string
}

export type RenderedRequest = { headers: Record<string, string>; body: string }

export type RenderedMail = {
  subject: string
  text: string
  html: string
  messageId: string
  headers: Record<string, string>
}

/** How a receiver learns that an event has ended. */
export type EndOfEvent = 'own event' | 'second message' | 'resolve' | 'endsAt' | 'same thread'

export type ChannelKindValue = {
  bytesMax: number
  /** Whether the receiver has accepted the message: an HTTP or SMTP status. */
  isAccepted: (status: number) => boolean
  /** After these statuses the address no longer exists, so the channel is disabled. */
  disabledBy: readonly number[]
  end: EndOfEvent
} & (
  | { transport: 'http'; render: (message: Message, rendering: Rendering) => RenderedRequest }
  | { transport: 'smtp'; render: (message: Message, rendering: Rendering) => RenderedMail }
)
