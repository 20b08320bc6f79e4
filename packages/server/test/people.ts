import { randomUUID } from 'node:crypto'
import type { Permission } from '@plimsoll/contract'
import { hashOnce } from './password-hash.ts'
import { makeAgentToken } from '../src/platform/auth/make-agent-token.ts'
import { newCredential, storedText } from '../src/platform/auth/credential-text.ts'
import { insertApiKey } from '../src/people/queries/api-keys.ts'
import { insertCluster } from '../src/clusters/queries/clusters.ts'
import { insertRole } from '../src/platform/auth/queries/roles.ts'
import { insertSession } from '../src/platform/auth/queries/sessions.ts'
import { insertUser } from '../src/platform/auth/queries/users.ts'
import { newId, newOpaqueId } from '../src/platform/ids.ts'
import type { TestApp } from './test-app.ts'

export type Person = {
  userId: string
  email: string
  token: string
  sessionId: string
  bearer: { authorization: string }
}

let counter = 0
const unique = () => `${(counter += 1)}-${randomUUID().slice(0, 8)}`

export const password = 'correct horse battery'

/** A signed-in user. The password is hashed once per run, because hashing is slow by design. */
export async function aPerson(
  { db, deps }: TestApp,
  role = 'admin',
  email = `user-${unique()}@example.com`,
): Promise<Person> {
  const userId = randomUUID()
  const sessionId = newId('ses', deps.now())
  await insertUser(db, { userId, email, role, passwordHash: await hashOnce(password), now: deps.now() })
  const { token, expiresAt } = await deps.tokens.issue({ sessionId, userId })
  await insertSession(db, { sessionId, userId, expiresAt, address: '192.0.2.1', userAgent: null, now: deps.now() })
  return { userId, email, token, sessionId, bearer: { authorization: `Bearer ${token}` } }
}

export async function aRole(
  { db, deps }: TestApp,
  permissions: Permission[],
  narrow: { clusters?: string[]; namespaces?: string[]; teams?: string[] } = {},
) {
  const name = `role-${unique()}`
  await insertRole(db, name, { permissions, clusters: null, namespaces: null, teams: null, ...narrow }, deps.now())
  return name
}

export async function anApiKey({ db, deps }: TestApp, userId: string, scopes: Permission[] | null = null) {
  const id = newOpaqueId(deps.now())
  const { text, secret } = newCredential('plk', id)
  await insertApiKey(db, {
    key_id: `key_${id}`,
    user_id: userId,
    name: 'a key',
    scopes,
    expires_at: null,
    created_at: deps.now(),
    secret_mac: deps.secrets.mac(storedText('plk', secret)),
  })
  return { keyId: `key_${id}`, key: text, header: { 'x-api-key': text } }
}

export async function aCluster({ db, deps }: TestApp, name = `cluster-${unique()}`) {
  const clusterId = newId('cls', deps.now())
  await insertCluster(db, { clusterId, name, provider: 'aws', region: 'eu-central-1', now: deps.now() })
  const { tokenId, token } = await makeAgentToken(deps, db, clusterId)
  return { clusterId, name, tokenId, agentToken: token, bearer: { authorization: `Bearer ${token}` } }
}
