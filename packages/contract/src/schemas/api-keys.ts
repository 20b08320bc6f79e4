import { Type, type Static } from 'typebox'
import { notAskedYet, permissions, type Permission } from '../permissions.ts'
import { Closed, Formed, FutureTimestamp, Name, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

const apiKeyFields = {
  id: Type.String({ examples: ['key_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
  name: Type.String(),
  user_id: Type.String({ format: 'uuid' }),
  scopes: Nullable(Type.Array(Type.String()), 'Null: all current permissions of its creator'),
  expires_at: Nullable(Timestamp, 'Null: no expiry'),
  created_at: Timestamp,
  last_used_at: Nullable(Timestamp, 'Rounded to the minute'),
}

export const ApiKey = Type.Object(apiKeyFields, { title: 'ApiKey' })

export const CreatedApiKey = Type.Object(
  {
    ...apiKeyFields,
    key: Type.Optional(
      Type.String({
        description:
          'Value for `X-API-Key` or `Authorization: Bearer`. Shown only once; absent in an idempotent replay',
      }),
    ),
  },
  { title: 'CreatedApiKey' },
)

export const CreateApiKeyBody = Closed(
  {
    name: Name,
    scopes: Type.Optional(
      Type.Array(Type.Unsafe<Permission>({ type: 'string', enum: [...permissions] }), {
        uniqueItems: true,
        minItems: 1,
        maxItems: permissions.length,
        description: `Permissions of the key, at most your own. Omitted: the key has all permissions of its creator, now and after each role change. ${notAskedYet}`,
      }),
    ),
    expires_at: Type.Optional(FutureTimestamp('In the future. Omitted: the key does not expire')),
  },
  {
    title: 'CreateApiKeyBody',
    description: 'A key without `scopes` has all permissions of its creator',
    examples: [{ name: 'nightly report', scopes: ['clusters:read'] }],
  },
)

/** API keys that have not expired. */
export const apiKeysPerUserMax = 50

export const apiKeyPageSize = { max: 500, default: 100 }

export const ListApiKeysQuery = Closed({
  ...pageQuery(apiKeyPageSize.max, apiKeyPageSize.default),
  user_id: Type.Optional(
    Formed('^(all|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$', 'a user ID, or all', {
      description: 'A user ID, or `all`; requires api_keys:read. Default: your own keys',
    }),
  ),
})

export const ApiKeyList = Type.Object({ api_keys: Type.Array(ApiKey), ...pageFields }, { title: 'ApiKeyList' })

export type ApiKey = Static<typeof ApiKey>
export type CreatedApiKey = Static<typeof CreatedApiKey>
export type ApiKeyList = Static<typeof ApiKeyList>
