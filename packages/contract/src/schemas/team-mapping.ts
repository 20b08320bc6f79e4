import { Type, type Static } from 'typebox'
import { Closed, Formed, ItemEtag, Nullable, Timestamp } from './common.ts'

const Pattern = (what: string) =>
  Type.String({ minLength: 1, maxLength: 253, description: `${what}; \`*\` stands for any characters` })

/** Not starting with `__`, without look-around. */
export const teamPattern = '([^_,=\\x00-\\x1f][^,=\\x00-\\x1f]{0,99}|_|_[^_,=\\x00-\\x1f][^,=\\x00-\\x1f]{0,98})'

const wholeTeamName = new RegExp(`^${teamPattern}$`)

export const isTeamName = (text: string) => wholeTeamName.test(text)

export const TeamName = Formed(
  `^${teamPattern}$`,
  '1 to 100 characters without commas and equals signs, not starting with __',
  { description: 'Without commas and equals signs. Names that start with `__` are reserved' },
)

export const TeamRule = Closed(
  {
    team: Type.Optional(TeamName),
    team_from_label: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 317,
        description:
          'The value of this label is the team, instead of `team`. A workload without the label does not match',
      }),
    ),
    cluster: Type.Optional(Pattern('Name of the cluster')),
    namespace: Type.Optional(Pattern('Name of the namespace')),
    label: Type.Optional(
      Closed({
        key: Type.String({ minLength: 1, maxLength: 317 }),
        value: Type.Optional(Pattern('Label value on the workload or its namespace; default: any value')),
      }),
    ),
  },
  { minProperties: 1 },
)

const rules = Type.Array(TeamRule, {
  maxItems: 1000,
  description:
    'The first matching rule applies. A rule without cluster, namespace and label matches everything. The label ' +
    '`plimsoll.dev/team` of a workload or its namespace comes before all rules',
})

export const TeamMapping = Type.Object(
  { rules, updated_at: Nullable(Timestamp, 'Null without rules'), etag: ItemEtag },
  { title: 'TeamMapping' },
)

export const PutTeamMappingBody = Closed(
  { rules },
  {
    title: 'PutTeamMappingBody',
    examples: [
      {
        rules: [
          { team: 'shop', namespace: 'shop-*' },
          { team: 'data', label: { key: 'team', value: 'data' } },
          { team_from_label: 'owner', cluster: 'production-*' },
        ],
      },
    ],
  },
)

export type TeamRule = Static<typeof TeamRule>
export type TeamMapping = Static<typeof TeamMapping>
