import { Type, type Static } from 'typebox'
import { Closed, Email, Nullable, Password, Timestamp } from './common.ts'

export const SignedInUser = Type.Object(
  { id: Type.String({ format: 'uuid' }), email: Type.String(), role: Type.String() },
  { title: 'SignedInUser' },
)

export const LoginResult = Type.Object(
  {
    token: Type.String({ description: 'JWT for `Authorization: Bearer`, valid for 24 hours' }),
    expires_at: Timestamp,
    user: SignedInUser,
  },
  { title: 'LoginResult' },
)

export const LoginBody = Closed(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 1024 }),
    cookie: Type.Optional(Type.Boolean({ description: 'Also set the token as an HttpOnly cookie, for browsers' })),
  },
  { title: 'LoginBody', examples: [{ email: 'ada@example.com', password: 'correct horse battery' }] },
)

export const AcceptBody = Closed(
  {
    code: Type.String({ minLength: 1, maxLength: 200, description: 'The part after # in the one-time link' }),
    email: Type.Optional(Email),
    password: Password,
    cookie: Type.Optional(Type.Boolean({ description: 'Also set the token as an HttpOnly cookie, for browsers' })),
  },
  {
    title: 'AcceptBody',
    description: 'Only the set-up link requires `email`; an invitation belongs to an e-mail address',
    examples: [{ code: '01k…', email: 'ada@example.com', password: 'correct horse battery' }],
  },
)

export const PasswordBody = Closed(
  { current_password: Type.String({ minLength: 1, maxLength: 1024 }), new_password: Password },
  {
    title: 'PasswordBody',
    examples: [{ current_password: 'correct horse battery', new_password: 'staple battery horse' }],
  },
)

export const Me = Type.Object(
  {
    user: SignedInUser,
    permissions: Type.Array(Type.String(), { description: 'Current permissions of the credential' }),
    clusters: Nullable(Type.Array(Type.String()), 'Clusters of the role; null means all'),
    namespaces: Nullable(Type.Array(Type.String()), 'Namespaces of the role; null means all'),
    teams: Nullable(Type.Array(Type.String()), 'Teams of the role; null means all'),
    credential: Type.Object({
      kind: Type.Union([Type.Literal('jwt'), Type.Literal('api_key')]),
      id: Type.String(),
      expires_at: Nullable(Timestamp),
    }),
  },
  { title: 'Me' },
)

export type LoginResult = Static<typeof LoginResult>
export type Me = Static<typeof Me>
