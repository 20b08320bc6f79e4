import { Type, type Static } from 'typebox'
import { alertRuleNames } from './alert-rule-names.ts'
import { Closed, Email, Formed, ItemEtag, Name, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

export const channelKindNames = ['webhook', 'slack', 'teams', 'pagerduty', 'alertmanager', 'email'] as const
export type ChannelKindName = (typeof channelKindNames)[number]

/** The events that channels receive. */
export const messageEvents = [...alertRuleNames, 'weekly_digest', 'monthly_statements'] as const
export type MessageEvent = (typeof messageEvents)[number]

export const deliveryStates = ['waiting', 'delivered', 'dead', 'cancelled'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const channelsMax = 100

const Kind = Type.Unsafe<ChannelKindName>({
  type: 'string',
  enum: [...channelKindNames],
  description:
    '`webhook`: signed by the Standard Webhooks specification · `slack`: incoming webhook · `teams`: workflow of Microsoft Teams · `pagerduty`: Events API v2 · `alertmanager`: API v2 · `email`',
})

const Events = Type.Array(Type.Unsafe<MessageEvent>({ type: 'string', enum: [...messageEvents] }), {
  uniqueItems: true,
  minItems: 1,
  maxItems: messageEvents.length,
})

/** The fields that hold the address. The service stores them encrypted and never returns them. */
const addressFields = {
  url: Type.Optional(
    Formed('^https?://[!-~]+$', 'an http or https URL', {
      maxLength: 2_000,
      description:
        'Required for `webhook`, `slack`, `teams` and `alertmanager`. `pagerduty`: optional, for the EU service region. The service never returns the URL',
    }),
  ),
  routing_key: Type.Optional(
    Formed('^[A-Za-z0-9]{32}$', 'a routing key of 32 letters and digits', {
      description:
        'Integration key of a PagerDuty service; required for `pagerduty`. The service never returns the key',
    }),
  ),
  recipients: Type.Optional(
    Type.Array(Email, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'E-mail addresses; required for `email`. The service never returns the addresses',
    }),
  ),
}

export const CreateChannelBody = Closed(
  {
    name: Name,
    kind: Kind,
    ...addressFields,
    events: Type.Optional(
      Type.Unsafe<MessageEvent[]>({ ...Events, description: 'Only these events. Omitted: all events' }),
    ),
  },
  {
    title: 'CreateChannelBody',
    examples: [
      { name: 'Platform team', kind: 'slack', url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
      { name: 'FinOps', kind: 'email', recipients: ['finops@example.com'] },
    ],
  },
)

export const UpdateChannelBody = Closed(
  {
    name: Type.Optional(Name),
    ...addressFields,
    events: Type.Optional(Nullable(Events, 'Only these events. Null: all events')),
    enabled: Type.Optional(
      Type.Boolean({ description: 'False: the channel gets no messages, and its waiting messages are cancelled' }),
    ),
  },
  { title: 'UpdateChannelBody', minProperties: 1, examples: [{ enabled: false }] },
)

const channelFields = {
  id: Type.String({ examples: ['chn_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
  name: Type.String(),
  kind: Kind,
  host: Type.String({
    description: 'Host of the address; `email`: domains of the recipients',
    examples: ['hooks.slack.com'],
  }),
  events: Nullable(Events, 'Null: all events'),
  enabled: Type.Boolean(),
  disabled_reason: Nullable(
    Type.Unsafe<'user' | 'gone'>({ type: 'string', enum: ['user', 'gone'] }),
    '`user`: a user disabled the channel · `gone`: the receiver answered that the address no longer exists · null: enabled',
  ),
  waiting: Type.Integer({ description: 'Messages that are not delivered yet' }),
  dead: Type.Integer({ description: 'Messages that were not delivered after the last attempt' }),
  last_delivered_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  etag: ItemEtag,
}

export const Channel = Type.Object(channelFields, { title: 'Channel' })

export const CreatedChannel = Type.Object(
  {
    ...channelFields,
    secret: Type.Optional(
      Type.String({
        description: '`webhook` only: secret for the signature. Shown only once; absent in an idempotent replay',
      }),
    ),
  },
  { title: 'CreatedChannel' },
)

export const channelPageSize = { max: 100, default: 100 }

export const ListChannelsQuery = Closed(pageQuery(channelPageSize.max, channelPageSize.default))

export const ChannelList = Type.Object({ channels: Type.Array(Channel), ...pageFields }, { title: 'ChannelList' })

/** Why a try failed. The log holds this class and never the text of an answer. */
export const deliveryErrors = [
  'address_refused',
  'channel_disabled',
  'connection',
  'dns',
  'internal',
  'not_configured',
  'redirect',
  'rejected',
  'status',
  'timeout',
  'tls',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

const ErrorClass = Nullable(
  Type.Unsafe<DeliveryError>({ type: 'string', enum: [...deliveryErrors] }),
  '`address_refused`: the address is private or a metadata service · `redirect`: redirects are not followed · `status`: any other status of the receiver · `rejected`: refused by the mail server · `not_configured`: no mail server is set · `internal`: the server could not prepare the message; see its log · null: delivered',
)

const DeliveryTry = Type.Object(
  {
    at: Timestamp,
    status: Nullable(Type.Integer(), 'HTTP or SMTP status; null: no answer'),
    duration_ms: Type.Integer(),
    error: ErrorClass,
  },
  { title: 'DeliveryTry' },
)

const Delivery = Type.Object(
  {
    id: Type.String({
      description: 'The header `webhook-id` of every try',
      examples: ['msg_01k3v7m9q2x4t6b8n0d2f4h6j8'],
    }),
    event: Type.String({ description: 'The event, or `test`' }),
    title: Type.String(),
    state: Type.Unsafe<DeliveryState>({
      type: 'string',
      enum: [...deliveryStates],
      description:
        '`waiting`: the next try follows · `dead`: not delivered after the last attempt · `cancelled`: the event ended before its first try, or the channel was disabled',
    }),
    queued_at: Timestamp,
    next_try_at: Nullable(Timestamp, 'Null: no further try'),
    ended_at: Nullable(Timestamp),
    tries: Type.Array(DeliveryTry, { description: 'Newest first, at most 20' }),
  },
  { title: 'Delivery' },
)

export const deliveryPageSize = { max: 200, default: 50 }

export const ListDeliveriesQuery = Closed({
  ...pageQuery(deliveryPageSize.max, deliveryPageSize.default),
  state: Type.Optional(Type.Unsafe<DeliveryState>({ type: 'string', enum: [...deliveryStates] })),
})

export const DeliveryList = Type.Object({ deliveries: Type.Array(Delivery), ...pageFields }, { title: 'DeliveryList' })

export const TestResult = Type.Object(
  {
    delivery_id: Type.String(),
    delivered: Type.Boolean(),
    status: Nullable(Type.Integer(), 'HTTP or SMTP status; null: no answer'),
    duration_ms: Type.Integer(),
    error: ErrorClass,
  },
  { title: 'ChannelTestResult' },
)

export const RedeliverBody = Closed(
  {
    delivery_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        minItems: 1,
        maxItems: 500,
        uniqueItems: true,
        description: 'Dead deliveries of this channel. Omitted: all of them',
      }),
    ),
  },
  { title: 'RedeliverBody', examples: [{}] },
)

export const Redelivered = Type.Object(
  { queued: Type.Integer({ description: 'Deliveries that wait for their next try' }) },
  { title: 'Redelivered' },
)

export type CreateChannelBody = Static<typeof CreateChannelBody>
export type UpdateChannelBody = Static<typeof UpdateChannelBody>
export type Channel = Static<typeof Channel>
export type TestResult = Static<typeof TestResult>
export type Delivery = Static<typeof Delivery>
