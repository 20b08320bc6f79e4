import { renderAlertmanager } from './alertmanager.ts'
import type { ChannelKindValue } from './channel-kind.ts'
import { renderEmail } from './email.ts'
import { renderPagerDuty } from './pagerduty.ts'
import { renderSlack } from './slack.ts'
import { renderTeams } from './teams.ts'
import { renderWebhook } from './webhook.ts'

const only = (accepted: number) => (status: number) => status === accepted

/** Every kind of channel: what it sends, its limit, and what the statuses of its receiver mean. */
export const channelKinds = {
  webhook: {
    transport: 'http',
    render: renderWebhook,
    bytesMax: 20_000,
    isAccepted: (status) => status >= 200 && status < 300,
    disabledBy: [410],
    end: 'own event',
  },
  slack: {
    transport: 'http',
    render: renderSlack,
    bytesMax: 60_000,
    isAccepted: only(200),
    disabledBy: [404, 410],
    end: 'second message',
  },
  teams: {
    transport: 'http',
    render: renderTeams,
    bytesMax: 28_000,
    // A flow with a Response action answers 200.
    isAccepted: (status) => status === 202 || status === 200,
    disabledBy: [],
    end: 'second message',
  },
  pagerduty: {
    transport: 'http',
    render: renderPagerDuty,
    bytesMax: 512_000,
    isAccepted: only(202),
    disabledBy: [],
    end: 'resolve',
  },
  alertmanager: {
    transport: 'http',
    render: renderAlertmanager,
    bytesMax: 512_000,
    isAccepted: only(200),
    disabledBy: [],
    end: 'endsAt',
  },
  email: {
    transport: 'smtp',
    render: renderEmail,
    bytesMax: 1_000_000,
    isAccepted: only(250),
    disabledBy: [],
    end: 'same thread',
  },
} as const satisfies Record<string, ChannelKindValue>

export type ChannelKind = keyof typeof channelKinds

export const channelKindOf = (kind: ChannelKind): ChannelKindValue => channelKinds[kind]

/** Kinds for messages without an end. The receivers of the other kinds keep an event open until its end. */
export const reportKinds = (Object.keys(channelKinds) as ChannelKind[]).filter(
  (kind) => !['resolve', 'endsAt'].includes(channelKinds[kind].end),
)
