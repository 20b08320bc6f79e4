import { Type, type Static } from 'typebox'
import { alertRuleNames, type AlertRuleName } from './alert-rule-names.ts'
import { Channel } from './channels.ts'
import {
  Closed,
  futureExample,
  FutureTimestamp,
  includeOf,
  ItemEtag,
  Nullable,
  pageFields,
  pageQuery,
  Timestamp,
  VisibleLines,
} from './common.ts'

export const alertStates = ['pending', 'firing', 'resolved'] as const
export type AlertState = (typeof alertStates)[number]

/** Why a message about an alert was not sent, or not yet. */
export const unsentReasons = [
  'accepted',
  'acknowledged',
  'channel_disabled',
  'collecting',
  'ended',
  'grouped',
  'joined',
  'no_channel',
  'quiet_hours',
  'shift',
  'snoozed',
] as const
export type UnsentReason = (typeof unsentReasons)[number]

const RuleName = Type.Unsafe<AlertRuleName>({ type: 'string', enum: [...alertRuleNames] })
const State = Type.Unsafe<AlertState>({
  type: 'string',
  enum: [...alertStates],
  description:
    '`pending`: the condition has been true for less than `for_minutes` · `firing`: open · `resolved`: ended',
})

const Decision = Type.Object({ at: Timestamp, by: Type.String(), note: Nullable(Type.String()) })

export const alertActions = ['acknowledge', 'snooze', 'accept'] as const
export type AlertAction = (typeof alertActions)[number]

const Fact = Type.Object({ label: Type.String(), value: Type.String() })

const Money = Type.Object({
  label: Type.String(),
  amount: Type.Number(),
  currency: Type.String(),
  per: Nullable(Type.String(), '`month`, `day`, or null'),
})

export const Alert = Type.Object(
  {
    id: Type.String({ examples: ['alr_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    rule: RuleName,
    state: State,
    severity: Type.Unsafe<'info' | 'warning' | 'critical'>({ type: 'string', enum: ['info', 'warning', 'critical'] }),
    title: Type.String(),
    facts: Type.Array(Fact),
    money: Nullable(Money),
    url: Nullable(Type.String(), 'Page of the dashboard about the subject'),
    cluster_id: Nullable(Type.String(), 'Null: the whole installation'),
    namespace: Nullable(Type.String(), 'Null: the whole cluster'),
    team: Nullable(Type.String()),
    started_at: Nullable(Timestamp, 'When the alert fired; null: pending'),
    resolved_at: Nullable(Timestamp),
    acknowledged: Nullable(Decision),
    snoozed_until: Nullable(Timestamp),
    accepted: Nullable(Decision),
    sent: Type.Boolean({ description: 'At least one message was sent' }),
    unsent_reason: Nullable(
      Type.Unsafe<UnsentReason>({ type: 'string', enum: [...unsentReasons] }),
      'Why no message was sent, or why it waits: `collecting` for 5 minutes · `grouped`: one message an hour · `quiet_hours` · `snoozed` · `acknowledged` · `accepted` · `ended`: resolved before it was sent · `shift`: idle capacity is used, the bill does not rise · `no_channel` · `channel_disabled`',
    ),
    allowed_actions: Type.Array(Type.Unsafe<AlertAction>({ type: 'string', enum: [...alertActions] })),
  },
  { title: 'Alert' },
)

export const alertPageSize = { max: 200, default: 50 }

export const ListAlertsQuery = Closed({
  ...pageQuery(alertPageSize.max, alertPageSize.default),
  state: Type.Optional(
    Type.Unsafe<'open' | 'resolved'>({
      type: 'string',
      enum: ['open', 'resolved'],
      description: '`open`: pending and firing alerts. Omitted: all',
    }),
  ),
  rule: Type.Optional(RuleName),
  cluster_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only alerts of this cluster' })),
})

export const AlertList = Type.Object({ alerts: Type.Array(Alert), ...pageFields }, { title: 'AlertList' })

const Note = VisibleLines({ maxLength: 1000, description: 'Comment for other users' })

export const AcknowledgeAlertBody = Type.Optional(
  Closed(
    { note: Type.Optional(Note) },
    { title: 'AcknowledgeAlertBody', examples: [{ note: 'load test, ends today' }] },
  ),
)

export const SnoozeAlertBody = Closed(
  { until: FutureTimestamp('In the future, at most one year away') },
  { title: 'SnoozeAlertBody', examples: [{ until: futureExample }] },
)

export const AcceptAlertBody = Closed(
  { reason: VisibleLines({ minLength: 1, maxLength: 1000, description: 'Why the new level is normal' }) },
  { title: 'AcceptAlertBody', examples: [{ reason: 'the new shop went live' }] },
)

const Threshold = Type.Object({
  name: Type.String(),
  value: Type.Number(),
  default: Type.Number(),
  minimum: Type.Number(),
  maximum: Type.Number(),
  unit: Type.Unsafe<'percent' | 'usd_per_month' | 'days' | 'alerts_per_month'>({
    type: 'string',
    enum: ['percent', 'usd_per_month', 'days', 'alerts_per_month'],
  }),
})

export const AlertRule = Type.Object(
  {
    rule: RuleName,
    enabled: Type.Boolean(),
    thresholds: Type.Array(Threshold),
    for_minutes: Type.Integer({ description: 'The condition must be true for this time before the alert fires' }),
    hold_minutes: Type.Integer({
      description: 'The condition must be false for this time before the alert is resolved',
    }),
    urgent: Type.Boolean({ description: 'Sent immediately, even in quiet hours' }),
    fired_30_days: Type.Integer({ description: 'Alerts of the last 30 days' }),
    note: Nullable(Type.String(), 'Current effect of the threshold, for display'),
    etag: ItemEtag,
  },
  { title: 'AlertRule' },
)

const minuteOfDay = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
const TimeOfDay = Type.String({ pattern: minuteOfDay, 'x-form': 'a time of day such as 20:00', examples: ['20:00'] })

const QuietHours = Closed({ from: TimeOfDay, to: TimeOfDay })

const deliveryFields = {
  quiet_hours: Nullable(QuietHours, 'UTC; `from` can be later than `to`. Null: none'),
  quiet_weekends: Type.Boolean(),
  weekly_digest: Type.Boolean({ description: 'Sent on Monday at 07:00 UTC' }),
}

export const AlertDelivery = Type.Object({ ...deliveryFields, etag: ItemEtag }, { title: 'AlertDelivery' })

export const SetAlertDeliveryBody = Closed(deliveryFields, {
  title: 'SetAlertDeliveryBody',
  examples: [{ quiet_hours: { from: '20:00', to: '07:00' }, quiet_weekends: true, weekly_digest: true }],
})

export const alertRuleIncludes = ['alerts', 'channels'] as const

export const ListAlertRulesQuery = Closed(includeOf(alertRuleIncludes))

/** Open alerts of the page: more than these are in the list of alerts. */
export const openAlertsShown = 100

export const AlertRuleList = Type.Object(
  {
    alert_rules: Type.Array(AlertRule),
    delivery: AlertDelivery,
    alerts: Type.Optional(
      Type.Array(Alert, { description: `With \`include=alerts\`: the newest ${openAlertsShown} open alerts` }),
    ),
    channels: Type.Optional(
      Type.Array(Channel, {
        description: 'With `include=channels`, the permission `webhooks:read` and a role for all clusters',
      }),
    ),
  },
  { title: 'AlertRuleList' },
)

export const UpdateAlertRuleBody = Closed(
  {
    enabled: Type.Optional(Type.Boolean()),
    thresholds: Type.Optional(
      Type.Record(Type.String({ pattern: '^[a-z_]{1,40}$' }), Type.Number(), {
        maxProperties: 5,
        description: 'Values by name. A missing threshold stays as it is',
      }),
    ),
  },
  { title: 'UpdateAlertRuleBody', minProperties: 1, examples: [{ thresholds: { idle_percent: 30 } }] },
)

export type Alert = Static<typeof Alert>
export type AlertList = Static<typeof AlertList>
export type AlertRule = Static<typeof AlertRule>
export type AlertRuleList = Static<typeof AlertRuleList>
export type AlertDelivery = Static<typeof AlertDelivery>
