import type { Permission } from '@plimsoll/contract'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'
import { countRequests, type Hits } from '../../http/queries/request-counts.ts'

type GrantColumns = {
  permissions: Permission[]
  clusters: string[] | null
  namespaces: string[] | null
  teams: string[] | null
}
type UserColumns = GrantColumns & { userId: string; email: string; role: string }

export type PersonRow = UserColumns
export type KeyRow = UserColumns & { keyId: string; scopes: Permission[] | null; expiresAt: Date | null }
export type AgentRow = { tokenId: string; clusterId: string }

/** Teams of the groups of a user limit the role further. */
const userColumns = `u.user_id as "userId", u.email, r.name as role, r.permissions, r.clusters, r.namespaces,
    case when u.teams is null then r.teams when r.teams is null then u.teams
      else array(select unnest(r.teams) intersect select unnest(u.teams)) end as teams`

/**
 * Finds the caller and counts the request in one round trip. A request of an unknown caller is counted against its
 * address instead.
 */
function findAndCount(caller: string, bucket: string, more = ''): string {
  return `
    with caller as (${caller}), hit as (${countRequests(bucket, 'caller')})${more}
    select caller.*, hit.* from caller, hit`
}

type PersonIds = { sessionId: string; userId: string; now: Date }

const selectPerson = `
    select ${userColumns}
    from session s join app_user u using (user_id) join role r on r.name = u.role
    where s.session_id = $1 and u.user_id = $2 and s.expires_at > $3 and not u.disabled`

const findAndCountPerson = findAndCount(
  `${selectPerson}
      and exists (select from server_secret where secret_id = $4 and (retires_at is null or retires_at > $3))`,
  `'person:' || "userId"`,
)

export async function findPerson(db: Db, { sessionId, userId, now, kid }: PersonIds & { kid: string }) {
  const values = [sessionId, userId, now, kid]
  return (await prepared<PersonRow & Hits>(db, 'find-person', findAndCountPerson, values))[0]
}

/** Looks up a checked credential again, without counting; so do the other two. */
export async function findPersonAgain(tx: Db, { sessionId, userId, now }: PersonIds): Promise<PersonRow | undefined> {
  return (await prepared<PersonRow>(tx, 'find-person-again', selectPerson, [sessionId, userId, now]))[0]
}

type KeyId = { keyId: string; now: Date }

const selectKey = `
    select ${userColumns}, k.key_id as "keyId", k.scopes, k.expires_at as "expiresAt"
    from api_key k join app_user u using (user_id) join role r on r.name = u.role
    where k.key_id = $1 and (k.expires_at is null or k.expires_at > $2) and not u.disabled`

/**
 * At most once a minute, so that a busy key does not write a row version per request. The credential is locked: a
 * concurrent revocation must not leave a row.
 */
const recordUse = (table: string, id: string) => `, used as (
    insert into last_use as held (subject_id, at)
    select c.${id}, $2::timestamptz from ${table} c
    where c.${id} = $1 and exists (select from caller) and not exists (
      select from last_use u where u.subject_id = c.${id} and u.at >= $2::timestamptz - interval '1 minute')
    for key share of c
    on conflict (subject_id) do update set at = excluded.at)`

const findAndCountKey = findAndCount(
  `${selectKey} and k.secret_mac = $3`,
  `'key:' || "keyId"`,
  recordUse('api_key', 'key_id'),
)

export async function findKey(db: Db, { keyId, now, mac }: KeyId & { mac: Buffer }) {
  return (await prepared<KeyRow & Hits>(db, 'find-key', findAndCountKey, [keyId, now, mac]))[0]
}

export async function findKeyAgain(tx: Db, { keyId, now }: KeyId): Promise<KeyRow | undefined> {
  return (await prepared<KeyRow>(tx, 'find-key-again', selectKey, [keyId, now]))[0]
}

type AgentTokenId = { tokenId: string; now: Date }

const selectAgent = `
    select token_id as "tokenId", cluster_id as "clusterId"
    from agent_token
    where token_id = $1 and (expires_at is null or expires_at > $2)`

const findAndCountAgent = findAndCount(
  `${selectAgent} and secret_mac = $3`,
  `'agent:' || "clusterId"`,
  recordUse('agent_token', 'token_id'),
)

export async function findAgent(db: Db, { tokenId, now, mac }: AgentTokenId & { mac: Buffer }) {
  return (await prepared<AgentRow & Hits>(db, 'find-agent', findAndCountAgent, [tokenId, now, mac]))[0]
}

export async function findAgentAgain(tx: Db, { tokenId, now }: AgentTokenId): Promise<AgentRow | undefined> {
  return (await prepared<AgentRow>(tx, 'find-agent-again', selectAgent, [tokenId, now]))[0]
}

const findAndCountDeletedAgent = findAndCount(
  `select token_id as "tokenId", cluster_id as "clusterId"
    from deleted_agent_token where token_id = $1 and secret_mac = $2`,
  `'agent:' || "clusterId"`,
)

/** A caller who knows only the token id learns nothing: the secret must match too. */
export async function findAgentOfDeletedCluster(db: Db, { tokenId, mac }: { tokenId: string; mac: Buffer }) {
  return (await prepared<AgentRow & Hits>(db, 'find-deleted-agent', findAndCountDeletedAgent, [tokenId, mac]))[0]
}
