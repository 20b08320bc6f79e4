import { rateLimitWindowSeconds, type Permission } from '@plimsoll/contract'
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { countingUpsert, type Hits } from './rate-limits.ts'

type GrantColumns = { permissions: Permission[]; clusters: string[] | null; namespaces: string[] | null }
type UserColumns = GrantColumns & { userId: string; email: string; role: string }

export type PersonRow = UserColumns
export type KeyRow = UserColumns & { keyId: string; scopes: Permission[] | null; expiresAt: Date | null }
export type AgentRow = { tokenId: string; clusterId: string }

const userColumns = sql`u.user_id as "userId", u.email, r.name as role, r.permissions, r.clusters, r.namespaces`

/**
 * Finds the caller and counts the request in one round trip. An unknown caller opens no window: such a request is
 * counted against its address instead.
 */
async function findAndCount<Row extends object>(
  db: Db,
  caller: RawBuilder<unknown>,
  bucket: RawBuilder<unknown>,
  more = sql``,
) {
  const hit = countingUpsert(
    sql`select ${bucket}, 1, statement_timestamp() + make_interval(secs => ${rateLimitWindowSeconds}) from caller`,
  )
  const { rows } = await sql<Row & Hits>`
    with caller as (${caller}), hit as (${hit})${more}
    select caller.*, hit.hits, hit.resets_at as "resetsAt", hit.resets_in_seconds as "resetsInSeconds"
    from caller, hit`.execute(db)
  return rows[0]
}

async function findAgain<Row>(tx: Db, caller: RawBuilder<unknown>): Promise<Row | undefined> {
  return (await sql<Row>`${caller}`.execute(tx)).rows[0]
}

type PersonIds = { sessionId: string; userId: string; now: Date }

const selectPerson = ({ sessionId, userId, now }: PersonIds) => sql`
    select ${userColumns}
    from session s join app_user u using (user_id) join role r on r.name = u.role
    where s.session_id = ${sessionId} and u.user_id = ${userId} and s.expires_at > ${now} and not u.disabled`

export function findPerson(db: Db, { kid, ...ids }: PersonIds & { kid: string }) {
  const caller = sql`${selectPerson(ids)}
      and exists (select from server_secret where secret_id = ${kid} and (retires_at is null or retires_at > ${ids.now}))`
  return findAndCount<PersonRow>(db, caller, sql`'person:' || "userId"`)
}

/** Asks again, without counting, about somebody whose credential has been checked; so do the other two. */
export const findPersonAgain = (tx: Db, ids: PersonIds) => findAgain<PersonRow>(tx, selectPerson(ids))

type KeyId = { keyId: string; now: Date }

const selectKey = ({ keyId, now }: KeyId) => sql`
    select ${userColumns}, k.key_id as "keyId", k.scopes, k.expires_at as "expiresAt"
    from api_key k join app_user u using (user_id) join role r on r.name = u.role
    where k.key_id = ${keyId} and (k.expires_at is null or k.expires_at > ${now}) and not u.disabled`

export function findKey(db: Db, { mac, ...id }: KeyId & { mac: Buffer }) {
  const caller = sql`${selectKey(id)} and k.secret_mac = ${mac}`
  return findAndCount<KeyRow>(db, caller, sql`'key:' || "keyId"`, recordUse(sql`"keyId"`, id.now))
}

export const findKeyAgain = (tx: Db, id: KeyId) => findAgain<KeyRow>(tx, selectKey(id))

type AgentTokenId = { tokenId: string; now: Date }

const selectAgent = ({ tokenId, now }: AgentTokenId) => sql`
    select token_id as "tokenId", cluster_id as "clusterId"
    from agent_token
    where token_id = ${tokenId} and (expires_at is null or expires_at > ${now})`

export function findAgent(db: Db, { mac, ...id }: AgentTokenId & { mac: Buffer }) {
  const caller = sql`${selectAgent(id)} and secret_mac = ${mac}`
  return findAndCount<AgentRow>(db, caller, sql`'agent:' || "clusterId"`, recordUse(sql`"tokenId"`, id.now))
}

export const findAgentAgain = (tx: Db, id: AgentTokenId) => findAgain<AgentRow>(tx, selectAgent(id))

/** At most once a minute, so that a busy key does not write a row version per request. */
const recordUse = (subject: RawBuilder<unknown>, now: Date) => sql`, used as (
    insert into last_use as held (subject_id, at) select ${subject}, ${now}::timestamptz from caller
    on conflict (subject_id) do update set at = excluded.at where held.at < excluded.at - interval '1 minute')`

export async function isTokenOfDeletedCluster(db: Db, tokenId: string): Promise<boolean> {
  const row = await db
    .selectFrom('cluster_tombstone')
    .select('token_id')
    .where('token_id', '=', tokenId)
    .executeTakeFirst()
  return row !== undefined
}
