import { Type, type Static } from 'typebox'
import { Closed, Formed, Nullable, Timestamp } from './common.ts'

const Pattern = (what: string) =>
  Type.String({ minLength: 1, maxLength: 253, description: `${what}; \`*\` stands for any characters` })

export const TeamRule = Closed({
  team: Formed('^[^,=\\x00-\\x1f]{1,100}$', '1 to 100 characters without commas and equals signs', {
    description: 'Without commas and equals signs',
  }),
  namespace: Type.Optional(Pattern('Name of the namespace')),
  label: Type.Optional(
    Closed({
      key: Type.String({ minLength: 1, maxLength: 317 }),
      value: Type.Optional(Pattern('Label value on the workload or its namespace; default: any value')),
    }),
  ),
})

const rules = Type.Array(TeamRule, {
  maxItems: 1000,
  description: 'The first match wins. A rule without namespace and label matches everything',
})

export const TeamMapping = Type.Object(
  { rules, updated_at: Nullable(Timestamp, 'Null without rules') },
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
        ],
      },
    ],
  },
)

export type TeamRule = Static<typeof TeamRule>
export type TeamMapping = Static<typeof TeamMapping>
