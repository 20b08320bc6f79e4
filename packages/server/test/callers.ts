import { builtInRoles, type Permission } from '@plimsoll/contract'
import { Tokens } from '../src/platform/auth/tokens.ts'
import { deleteApiKey } from '../src/people/queries/api-keys.ts'
import { expireAgentTokens } from '../src/platform/auth/queries/agent-tokens.ts'
import { deleteCluster } from '../src/clusters/queries/clusters.ts'
import { deleteSession } from '../src/platform/auth/queries/sessions.ts'
import { deleteUser, updateUser } from '../src/platform/auth/queries/users.ts'
import { aCluster, anApiKey, aPerson, aRole } from './people.ts'
import type { TestApp } from './test-app.ts'

/** A caller with their known access: the test derives the expected access from this alone. */
export type TestCaller = {
  name: string
  headers: Record<string, string>
  query?: string
  is:
    | { kind: 'nobody' }
    | { kind: 'unclear' }
    | { kind: 'gone' }
    | { kind: 'person' | 'api_key' | 'agent'; permissions: readonly Permission[] }
}

const hourMs = 3_600_000

export async function knownCallers(t: TestApp): Promise<TestCaller[]> {
  const callers: TestCaller[] = []
  for (const [role, permissions] of Object.entries(builtInRoles)) {
    const { userId, bearer } = await aPerson(t, role)
    const key = await anApiKey(t, userId)
    callers.push({ name: role, headers: bearer, is: { kind: 'person', permissions } })
    callers.push({ name: `API key of ${role}`, headers: key.header, is: { kind: 'api_key', permissions } })
  }
  const { token } = await aPerson(t, 'viewer')
  callers.push({
    name: 'viewer by cookie',
    headers: { cookie: `plimsoll_session=${token}`, origin: t.deps.settings.publicUrl },
    is: { kind: 'person', permissions: builtInRoles.viewer },
  })
  const { bearer } = await aCluster(t)
  callers.push({ name: 'agent', headers: bearer, is: { kind: 'agent', permissions: ['metrics:submit'] } })
  const { userId } = await aPerson(t, 'editor')
  const narrowed = await anApiKey(t, userId, ['clusters:read', 'settings:read', 'users:read'])
  // The key has more scopes than its user has now: the intersection counts.
  const permissions: Permission[] = ['clusters:read', 'settings:read']
  callers.push({ name: 'narrowed API key', headers: narrowed.header, is: { kind: 'api_key', permissions } })
  return callers
}

/** A user whose role has exactly these permissions, and their key. */
export async function customCallers(t: TestApp, name: string, permissions: Permission[]) {
  const { userId, bearer } = await aPerson(t, await aRole(t, permissions))
  const { header } = await anApiKey(t, userId)
  const person: TestCaller = { name, headers: bearer, is: { kind: 'person', permissions } }
  const key: TestCaller = { name: `API key of ${name}`, headers: header, is: { kind: 'api_key', permissions } }
  return { person, key }
}

/** Callers that must count as unauthenticated, although each was valid once or looks valid. */
export async function refusedCallers(t: TestApp): Promise<TestCaller[]> {
  const { db, deps } = t
  const admin = await aPerson(t)
  const key = await anApiKey(t, admin.userId)
  const cluster = await aCluster(t)
  const tampered = (text: string) => `${text.slice(0, -3)}${text.endsWith('aaa') ? 'bbb' : 'aaa'}`
  const nobody = (name: string, headers: Record<string, string>): TestCaller => ({
    name,
    headers,
    is: { kind: 'nobody' },
  })
  return [
    nobody('anonymous', {}),
    { name: 'token in the address', headers: {}, query: `access_token=${admin.token}`, is: { kind: 'nobody' } },
    { name: 'key in the address', headers: {}, query: `x-api-key=${key.key}`, is: { kind: 'nobody' } },
    nobody('revoked session', await revokedSession(t)),
    nobody('expired session', await expiredSession(t)),
    nobody('expired token of an open session', await expiredToken(t)),
    nobody('revoked key', await revokedKey(t)),
    nobody('expired key', await expiredKey(t)),
    nobody('expired agent token', await expiredAgentToken(t)),
    ...(await callersOf(t, 'disabled user', (userId) => updateUser(db, userId, { disabled: true }, deps.now()))),
    ...(await callersOf(t, 'deleted user', (userId) => deleteUser(db, userId))),
    nobody('empty Authorization', { authorization: '' }),
    nobody('Bearer without a token', { authorization: 'Bearer ' }),
    nobody('garbage Bearer', { authorization: 'Bearer garbage' }),
    nobody('three garbage parts', { authorization: 'Bearer aaaa.bbbb.cccc' }),
    nobody('Basic', { authorization: `Basic ${Buffer.from('admin:admin').toString('base64')}` }),
    nobody('token without a scheme', { authorization: admin.token }),
    nobody('tampered token', { authorization: `Bearer ${tampered(admin.token)}` }),
    nobody('empty X-API-Key', { 'x-api-key': '' }),
    nobody('garbage X-API-Key', { 'x-api-key': "' or 1=1 --" }),
    nobody('tampered key', { 'x-api-key': tampered(key.key) }),
    nobody('tampered agent token', { authorization: `Bearer ${tampered(cluster.agentToken)}` }),
    nobody('tampered key as Bearer', { authorization: `Bearer ${tampered(key.key)}` }),
    nobody('key as cookie', { cookie: `plimsoll_session=${key.key}` }),
    nobody('key without a scheme', { authorization: key.key }),
    nobody('token as X-API-Key', { 'x-api-key': admin.token }),
    nobody('agent token as X-API-Key', { 'x-api-key': cluster.agentToken }),
    nobody('agent token as cookie', { cookie: `plimsoll_session=${cluster.agentToken}` }),
    nobody('garbage cookie', { cookie: 'plimsoll_session=garbage' }),
    nobody('garbage Bearer beside a good cookie', {
      authorization: 'Bearer garbage',
      cookie: `plimsoll_session=${admin.token}`,
    }),
    {
      name: 'one key in two headers',
      headers: { ...key.header, authorization: `Bearer ${key.key}` },
      is: { kind: 'unclear' },
    },
    { name: 'two credentials', headers: { ...admin.bearer, ...key.header }, is: { kind: 'unclear' } },
    { name: 'agent of a deleted cluster', headers: await deletedClustersAgent(t), is: { kind: 'gone' } },
  ]
}

async function revokedSession(t: TestApp) {
  const { bearer, sessionId } = await aPerson(t)
  await deleteSession(t.db, sessionId)
  return bearer
}

async function expiredSession(t: TestApp) {
  const { bearer, sessionId } = await aPerson(t)
  await t.db.updateTable('session').set({ expires_at: t.deps.now() }).where('session_id', '=', sessionId).execute()
  return bearer
}

async function expiredToken(t: TestApp) {
  const { userId, sessionId } = await aPerson(t)
  const dayAgo = new Date(t.deps.now().getTime() - 24 * hourMs)
  const { token } = await new Tokens(t.deps.secrets, () => dayAgo).issue({ sessionId, userId })
  return { authorization: `Bearer ${token}` }
}

async function revokedKey(t: TestApp) {
  const { keyId, header } = await anApiKey(t, (await aPerson(t)).userId)
  await deleteApiKey(t.db, keyId)
  return header
}

async function expiredKey(t: TestApp) {
  const { keyId, header } = await anApiKey(t, (await aPerson(t)).userId)
  await t.db.updateTable('api_key').set({ expires_at: t.deps.now() }).where('key_id', '=', keyId).execute()
  return header
}

async function expiredAgentToken(t: TestApp) {
  const { clusterId, bearer } = await aCluster(t)
  await expireAgentTokens(t.db, clusterId, t.deps.now())
  return bearer
}

async function deletedClustersAgent(t: TestApp) {
  const { clusterId, bearer } = await aCluster(t)
  await deleteCluster(t.db, clusterId, t.deps.now())
  return bearer
}

/** The token and the key of an admin whose access changes. */
async function callersOf(t: TestApp, name: string, happen: (userId: string) => Promise<void>): Promise<TestCaller[]> {
  const { userId, bearer } = await aPerson(t)
  const { header } = await anApiKey(t, userId)
  await happen(userId)
  return [
    { name, headers: bearer, is: { kind: 'nobody' } },
    { name: `API key of a ${name}`, headers: header, is: { kind: 'nobody' } },
  ]
}
