import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { apiKeysPerUserMax, type ApiKey, operations } from '@plimsoll/contract'
import { recordChange } from '../../audit/index.ts'
import { seesWholeClusters, type UserCaller } from '../../platform/auth/caller.ts'
import { newCredential, storedText } from '../../platform/auth/credential-text.ts'
import { demandCovers, demandGovernable } from '../../platform/auth/grants.ts'
import {
  countLiveApiKeys,
  deleteApiKey,
  findApiKey,
  insertApiKey,
  listApiKeys,
  type ApiKeyRow,
} from '../queries/api-keys.ts'
import type { Db } from '../../platform/db/database.ts'
import { findUser } from '../../platform/auth/queries/users.ts'
import type { Deps } from '../../platform/deps.ts'
import { allWrongFields } from '../../platform/http/all-wrong-fields.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { isId, newOpaqueId } from '../../platform/ids.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { lockPeopleFor } from '../people-access.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

export const apiKeyRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.listApiKeys, {
    handler: async (request) => {
      const { limit, cursor, user_id: whose } = request.query
      const caller = requestUser(request)
      const userId = whose ?? caller.userId
      if (userId !== caller.userId) {
        demandPermission(caller, 'api_keys:read')
        await demandWholeFleet(request)
        await demandKnownUser(deps.db, userId)
      }
      const scope = { list: 'api-keys', selection: { userId } }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listApiKeys(deps.db, {
        userId: userId === 'all' ? undefined : userId,
        after,
        limit: limit + 1,
      })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.key_id], deps.now()),
      )
      return { api_keys: shown.map(presentApiKey), ...rest }
    },
  })

  handle(app, operations.createApiKey, {
    ...allWrongFields(async ({ expires_at: expires }) => wrongExpiry(expires, deps.now())),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { name, scopes = null, expires_at: expires } = request.body
        const caller = await lockPeopleFor(deps, tx, request)
        if (scopes !== null) demandCovers(caller, { ...caller, permissions: new Set(scopes) }, 'The key')
        await demandRoomForKey(deps, tx, caller)
        const id = newOpaqueId(deps.now())
        const { text, secret } = newCredential('plk', id)
        const row = {
          key_id: `key_${id}`,
          user_id: caller.userId,
          name,
          scopes,
          expires_at: expires === undefined ? null : futureTime(expires, deps.now()),
          created_at: deps.now(),
        }
        await insertApiKey(tx, { ...row, secret_mac: deps.secrets.mac(storedText('plk', secret)) })
        const target = { type: 'api_key' as const, id: row.key_id }
        const body = presentApiKey({ ...row, last_used_at: null })
        await recordChange(deps, tx, request, { action: 'api_key.create', target, detail: auditedKey(body) })
        return { status: 201, body, shownOnce: { key: text }, resourceId: row.key_id }
      }),
  })

  handle(app, operations.revokeApiKey, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { key_id: keyId } = request.params
        const caller = requestUser(request)
        const key = isId('key', keyId) ? await findApiKey(tx, keyId) : undefined
        const mine = key?.user_id === caller.userId
        // For callers without access to keys of others, these do not exist.
        if (!key || (!mine && !maySeeOthersKeys(caller))) {
          throw new Problem('api_key_not_found', `There is no API key ${quoted(keyId)}.`)
        }
        if (!mine) await demandGovernableKey(tx, caller, key)
        await deleteApiKey(tx, keyId)
        const target = { type: 'api_key' as const, id: keyId }
        const detail = auditedKey(presentApiKey(key))
        await recordChange(deps, tx, request, { action: 'api_key.revoke', target, detail })
        return { status: 204, body: null }
      }),
  })
}

/** Under the lock on users, so that concurrent keys count each other. */
async function demandRoomForKey(deps: Deps, tx: Db, { userId }: UserCaller): Promise<void> {
  if ((await countLiveApiKeys(tx, userId, deps.now())) < apiKeysPerUserMax) return
  throw new Problem('api_key_limit', `You already have ${apiKeysPerUserMax} API keys. Revoke an unused one.`)
}

async function demandGovernableKey(tx: Db, caller: UserCaller, key: ApiKeyRow): Promise<void> {
  demandPermission(caller, 'api_keys:write')
  const owner = await findUser(tx, key.user_id)
  if (owner) await demandGovernable(tx, caller, owner)
}

const maySeeOthersKeys = ({ permissions, clusters, ...narrow }: UserCaller) =>
  (permissions.has('api_keys:read') || permissions.has('api_keys:write')) &&
  clusters === null &&
  seesWholeClusters(narrow)

/** A mistyped user must not look like one without keys. */
async function demandKnownUser(db: Db, userId: string): Promise<void> {
  if (userId === 'all' || (await findUser(db, userId))) return
  throw new Problem('user_not_found', `There is no user '${userId}'.`)
}

function demandPermission(caller: UserCaller, permission: 'api_keys:read' | 'api_keys:write'): void {
  if (caller.permissions.has(permission)) return
  throw new Problem('forbidden', `API keys of other users require the permission ${permission}.`, {
    members: { required_permission: permission },
  })
}

function futureTime(text: string, now: Date): Date {
  const errors = wrongExpiry(text, now)
  if (errors.length === 0) return new Date(text)
  throw new Problem('invalid_body', `/expires_at: '${text}' is in the past.`, { errors })
}

const wrongExpiry = (text: unknown, now: Date): FieldError[] =>
  typeof text !== 'string' || new Date(text) > now
    ? []
    : [{ pointer: '/expires_at', code: 'past', detail: 'is in the past' }]

function presentApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.key_id,
    name: row.name,
    user_id: row.user_id,
    scopes: row.scopes,
    expires_at: row.expires_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

const auditedKey = ({ name, user_id, scopes, expires_at }: ApiKey) => ({ name, user_id, scopes, expires_at })
