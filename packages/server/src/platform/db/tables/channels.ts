import type { DeliveryError, DeliveryState, MessageEvent } from '@plimsoll/contract'
import type { ChannelKind, Message } from '@plimsoll/engine/messages'
import type { Generated, GeneratedAlways } from 'kysely'
import type { Json } from './json.ts'

export type ChannelsTables = {
  channel: {
    channel_id: string
    name: string
    kind: ChannelKind
    host: string
    sealed: Buffer
    events: MessageEvent[] | null
    disabled_reason: 'user' | 'gone' | null
    revision: Generated<number>
    created_at: Date
    updated_at: Date
    grouped_at: Generated<Date | null>
  }
  delivery: {
    delivery_id: string
    position: GeneratedAlways<string>
    channel_id: string
    dedup_key: string
    transition: string
    message: Json<Message>
    state: DeliveryState
    tries: Generated<number>
    tries_max: number
    due_at: Date
    claimed_until: Generated<Date | null>
    queued_at: Date
    ended_at: Generated<Date | null>
  }
  delivery_try: {
    delivery_id: string
    number: number
    at: Date
    duration_ms: number
    status: number | null
    error: DeliveryError | null
  }
}
