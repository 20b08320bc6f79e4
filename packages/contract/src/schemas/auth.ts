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
    teams: Nullable(Type.Array(Type.String()), 'Teams that limit the user; null means all'),
    credential: Type.Object({
      kind: Type.Union([Type.Literal('jwt'), Type.Literal('api_key')]),
      id: Type.String(),
      expires_at: Nullable(Timestamp),
    }),
  },
  { title: 'Me' },
)

export const SignInMethods = Type.Object(
  {
    password: Type.Boolean({ description: 'False: only the user of PLIMSOLL_ADMIN_EMAIL can sign in with a password' }),
    oidc: Type.Boolean({ description: 'Whether `GET /auth/oidc/start` signs users in' }),
  },
  { title: 'SignInMethods' },
)

/** Codes in the address of the sign-in page after a failed sign-in with the identity provider. */
export type OidcFailure =
  | 'cancelled'
  | 'disabled'
  | 'email_taken'
  | 'expired'
  | 'failed'
  | 'no_access'
  | 'no_email'
  | 'too_many_groups'
  | 'too_many_requests'
  | 'unreachable'

export const StartOidcQuery = Closed({
  return_to: Type.Optional(
    Type.String({
      maxLength: 8000,
      description:
        'The page of the dashboard to open after the sign-in: a path of at most 2,000 characters. Otherwise the first page opens',
    }),
  ),
})

/** Providers add parameters of their own. */
export const FinishOidcQuery = Type.Object(
  {
    code: Type.Optional(Type.String({ maxLength: 8000 })),
    state: Type.Optional(Type.String({ maxLength: 1000 })),
    error: Type.Optional(Type.String({ maxLength: 1000 })),
  },
  { additionalProperties: true },
)

export const Session = Type.Object(
  {
    id: Type.String(),
    created_at: Timestamp,
    expires_at: Timestamp,
    address: Nullable(Type.String(), 'IP address of the sign-in'),
    user_agent: Nullable(Type.String(), 'Browser or program of the sign-in'),
    is_current: Type.Boolean({ description: 'The session of this request' }),
    method: Type.Union([Type.Literal('password'), Type.Literal('oidc')]),
  },
  { title: 'Session' },
)

export const SessionList = Type.Object({ sessions: Type.Array(Session) }, { title: 'SessionList' })

export type SignInMethods = Static<typeof SignInMethods>
export type Session = Static<typeof Session>
export type LoginResult = Static<typeof LoginResult>
export type Me = Static<typeof Me>
