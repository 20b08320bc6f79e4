import { Type, type Static } from 'typebox'
import { Closed, Email, includeOf, Nullable, pageFields, pageQuery, Password, Timestamp } from './common.ts'
import { RoleList } from './roles.ts'

const roleName = Type.String({ minLength: 1, maxLength: 63 })

const userFields = {
  id: Type.String({ format: 'uuid' }),
  email: Type.String(),
  role: Type.String(),
  teams: Nullable(Type.Array(Type.String()), 'Teams that limit the user, from the groups of the user; null means all'),
  disabled: Type.Boolean(),
  invited: Type.Boolean({ description: 'The user has not chosen a password yet' }),
  sign_in: Nullable(
    Type.Unsafe<'password' | 'oidc'>({ type: 'string', enum: ['password', 'oidc'] }),
    'How the user signs in; `oidc`: with the identity provider, whose groups decide the role at each sign-in; null: not yet',
  ),
  email_verified: Nullable(
    Type.Boolean(),
    'Whether the identity provider has verified the e-mail address; null without an identity provider',
  ),
  last_login_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const User = Type.Object(userFields, { title: 'User' })

export const OneTimeLink = Type.Object(
  {
    link: Type.Optional(Type.String({ description: 'Shown only once; absent in an idempotent replay' })),
    expires_at: Timestamp,
  },
  { title: 'OneTimeLink' },
)

export const CreatedUser = Type.Object(
  { ...userFields, invitation: Type.Optional(OneTimeLink) },
  { title: 'CreatedUser' },
)

export const CreateUserBody = Closed(
  {
    email: Email,
    role: roleName,
    password: Type.Optional(
      Type.Unsafe<string>({
        ...Password,
        description:
          'Not allowed with an API key. Without a password, a signed-in caller gets a one-time invitation link',
      }),
    ),
  },
  { title: 'CreateUserBody', examples: [{ email: 'grace@example.com', role: 'viewer' }] },
)

export const UpdateUserBody = Closed(
  { role: Type.Optional(roleName), disabled: Type.Optional(Type.Boolean()) },
  { title: 'UpdateUserBody', minProperties: 1, examples: [{ role: 'editor' }] },
)

export const userPageSize = { max: 500, default: 100 }

export const userIncludes = ['roles'] as const

export const ListUsersQuery = Closed({
  ...pageQuery(userPageSize.max, userPageSize.default),
  ...includeOf(userIncludes),
})

export const UserList = Type.Object(
  {
    users: Type.Array(User),
    roles: Type.Optional(
      Nullable(
        RoleList.properties.roles,
        'With `include=roles`: the first page of GET /api/v1/roles; null without `roles:read`',
      ),
    ),
    ...pageFields,
  },
  { title: 'UserList' },
)

export type User = Static<typeof User>
export type CreatedUser = Static<typeof CreatedUser>
export type OneTimeLink = Static<typeof OneTimeLink>
export type UserList = Static<typeof UserList>
