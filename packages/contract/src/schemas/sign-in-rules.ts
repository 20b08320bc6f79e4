import { Type, type Static } from 'typebox'
import { Closed, ItemEtag, Nullable, Timestamp, VisibleText } from './common.ts'
import { TeamName } from './team-mapping.ts'

const GroupName = VisibleText({
  minLength: 1,
  maxLength: 500,
  description: 'A group as the identity provider sends it: a name or an ID',
})

export const RoleOfGroup = Closed({
  group: GroupName,
  role: Type.String({ minLength: 1, maxLength: 100 }),
  own_teams_only: Type.Optional(
    Type.Boolean({
      description: 'Limits the user to the teams that `teams` assigns to the groups of the user. Default: false',
    }),
  ),
})

export const TeamOfGroup = Closed({ group: GroupName, team: TeamName })

const rules = {
  roles: Type.Array(RoleOfGroup, {
    maxItems: 500,
    description:
      'In order: the first group of the user that matches sets the role. A user without a match has no access',
  }),
  teams: Type.Array(TeamOfGroup, { maxItems: 1000, description: 'The teams of each group' }),
}

export const SignInRules = Type.Object(
  { ...rules, updated_at: Nullable(Timestamp, 'Null without rules'), etag: ItemEtag },
  { title: 'SignInRules' },
)

export const PutSignInRulesBody = Closed(rules, {
  title: 'PutSignInRulesBody',
  examples: [
    {
      roles: [
        { group: 'platform-admins', role: 'admin' },
        { group: 'developers', role: 'viewer', own_teams_only: true },
      ],
      teams: [{ group: 'shop-developers', team: 'shop' }],
    },
  ],
})

export type RoleOfGroup = Static<typeof RoleOfGroup>
export type TeamOfGroup = Static<typeof TeamOfGroup>
export type SignInRules = Static<typeof SignInRules>
