import { Type, type Static } from 'typebox'
import { Closed, includeOf, ItemEtag, Nullable, Timestamp, VisibleText } from './common.ts'
import { Window } from './windows.ts'
import { Channel, channelsMax } from './channels.ts'
import { CostSharing } from './cost-sharing.ts'
import { TeamMapping } from './team-mapping.ts'

/** A list shows the most expensive teams and unowned namespaces; the rest is summed up. */
export const teamsShownMax = 1000
export const unownedShownMax = 100

const Contact = VisibleText({
  minLength: 1,
  maxLength: 200,
  description: 'Whom to ask about the cost of the team: a name, an e-mail address or a chat channel',
})
const CostCenter = VisibleText({ minLength: 1, maxLength: 100 })

const ChannelIds = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  uniqueItems: true,
  maxItems: channelsMax,
  description: 'Alerts of the team go to these channels. Without channels, they go to the channels without a team',
  examples: [['chn_01k3v7m9q2x4t6b8n0d2f4h6j8']],
})

const details = {
  contact: Nullable(Contact),
  cost_center: Nullable(CostCenter),
  channel_ids: ChannelIds,
}

const teamFields = {
  name: Type.String(),
  ...details,
  updated_at: Nullable(Timestamp, 'The last change of contact, channels or cost center; null without a change'),
  etag: ItemEtag,
}

export const Team = Type.Object(teamFields, { title: 'Team' })

const Usd = (description: string) => Type.Number({ description })

const CountedTeam = Type.Object({
  ...teamFields,
  cost: Usd('Cost of the workloads of the team in the window, in USD'),
  namespaces: Type.Integer({ description: 'Namespaces with workloads of the team, per cluster' }),
})

const UnownedNamespace = Type.Object({
  cluster: Type.String({ description: 'Name of the cluster' }),
  namespace: Type.String(),
  cost: Usd('Cost of the unowned workloads of the namespace, in USD'),
})

export const teamIncludes = ['mapping', 'channels', 'sharing'] as const

export const ListTeamsQuery = Closed(includeOf(teamIncludes))

export const TeamList = Type.Object(
  {
    window: Window,
    currency: Type.String(),
    total: Usd('All cost of the window: teams, unowned workloads and other cost'),
    teams: Type.Array(CountedTeam, { description: 'Largest cost first, then by name' }),
    rest: Type.Object({ teams: Type.Integer(), cost: Type.Number() }, { description: 'Teams that are not shown' }),
    unowned: Nullable(
      Type.Object({
        cost: Type.Number(),
        namespaces: Type.Array(UnownedNamespace, { description: 'Largest cost first' }),
        rest: Type.Object({ namespaces: Type.Integer(), cost: Type.Number() }),
      }),
      'Workloads without a team. Null for a role that is limited to teams',
    ),
    other: Nullable(
      Type.Number(),
      'Cost without a workload: idle capacity, unused volumes and overhead. Null for a limited role',
    ),
    mapping: Type.Optional(
      Type.Unsafe<Static<typeof TeamMapping>>({
        ...TeamMapping,
        description: 'With `include=mapping`, the permission `settings:read` and a role for all clusters',
      }),
    ),
    sharing: Type.Optional(
      Type.Unsafe<Static<typeof CostSharing>>({
        ...CostSharing,
        description: 'With `include=sharing`, the permission `settings:read` and a role for all clusters',
      }),
    ),
    channels: Type.Optional(
      Type.Array(Channel, {
        description: 'With `include=channels`, the permission `webhooks:read` and a role for all clusters',
      }),
    ),
  },
  { title: 'TeamList' },
)

export const PutTeamBody = Closed(details, {
  title: 'PutTeamBody',
  examples: [
    { contact: 'Ada Lovelace', cost_center: 'CC-4711', channel_ids: ['chn_01k3v7m9q2x4t6b8n0d2f4h6j8'] },
    { contact: null, cost_center: null, channel_ids: [] },
  ],
})

export type Team = Static<typeof Team>
export type CountedTeam = Static<typeof CountedTeam>
export type TeamList = Static<typeof TeamList>
