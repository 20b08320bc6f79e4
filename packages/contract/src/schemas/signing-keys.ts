import { Type, type Static } from 'typebox'
import { Closed, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

export const SigningKey = Type.Object(
  {
    kid: Type.String(),
    created_at: Timestamp,
    retires_at: Nullable(Timestamp, 'When tokens signed with the key stop working; null for the current key'),
  },
  { title: 'SigningKey' },
)

export const ListSigningKeysQuery = Closed(pageQuery(500, 100))

export const SigningKeyList = Type.Object(
  { signing_keys: Type.Array(SigningKey), ...pageFields },
  { title: 'SigningKeyList' },
)

export const RotateSigningKeyBody = Closed(
  {
    end_sessions: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Revoke all tokens of older keys immediately; all users must sign in again',
      }),
    ),
  },
  { title: 'RotateSigningKeyBody', examples: [{ end_sessions: false }] },
)

export type SigningKey = Static<typeof SigningKey>
