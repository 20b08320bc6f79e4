import { expect, test } from 'vitest'
import { anApiKey, aCluster, aPerson, aRole } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { makeAgentToken } from '../auth/make-agent-token.ts'

const t = useTestApp()

type Page = { next_cursor: string | null; has_more: boolean } & Record<string, Record<string, string>[]>

async function walk(url: string, list: string, key: string): Promise<{ ids: (string | undefined)[]; pages: number }> {
  const { bearer } = await aPerson(t)
  const ids: (string | undefined)[] = []
  for (let pages = 1, cursor = ''; ; pages += 1) {
    const response = await send(t, { url: `${url}?limit=2${cursor}`, headers: bearer })
    expect(response.statusCode).toBe(200)
    const page = response.json<Page>()
    ids.push(...(page[list] ?? []).map((each) => each[key]))
    expect(page.has_more).toBe(page.next_cursor !== null)
    if (page.next_cursor === null) return { ids, pages }
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

test('pages of roles hold each role once, the built-in ones first', async () => {
  const custom = [await aRole(t, []), await aRole(t, [])].sort()
  const { ids, pages } = await walk('/api/v1/roles', 'roles', 'name')
  expect(ids).toEqual(['admin', 'editor', 'viewer', ...custom])
  expect(pages).toBe(3)
})

test('pages of agent tokens hold each token once, newest first', async () => {
  const { clusterId, tokenId } = await aCluster(t)
  const made = [tokenId]
  for (let count = 0; count < 4; count += 1) {
    t.clock.advance(1)
    made.unshift((await makeAgentToken(t.deps, t.db, clusterId)).tokenId)
  }
  const { ids, pages } = await walk(`/api/v1/clusters/${clusterId}/agent-tokens`, 'agent_tokens', 'id')
  expect(ids).toEqual(made)
  expect(pages).toBe(3)
})

test('pages of signing keys hold each key once, newest first', async () => {
  const rotated: string[] = []
  for (let count = 0; count < 4; count += 1) {
    t.clock.advance(1)
    const { kid } = await t.db
      .transaction()
      .execute((tx) => t.deps.secrets.rotateSigningKey(tx, { endSessions: false }))
    rotated.unshift(kid)
  }
  const { ids, pages } = await walk('/api/v1/signing-keys', 'signing_keys', 'kid')
  expect(ids.slice(0, 4)).toEqual(rotated)
  expect([ids.length, pages]).toEqual([5, 3])
})

test('a restricted role sees only its own API keys', async () => {
  const { clusterId } = await aCluster(t)
  const role = await aRole(t, ['api_keys:read', 'api_keys:write'], { clusters: [clusterId] })
  const [narrowed, other] = [await aPerson(t, role), await aPerson(t, role)]
  const [own, foreign] = [await anApiKey(t, narrowed.userId), await anApiKey(t, other.userId)]
  const call = async (url: string, method: 'GET' | 'DELETE' = 'GET') =>
    (await send(t, { method, url: `/api/v1/api-keys${url}`, headers: narrowed.bearer })).json<{ code?: string }>()
  for (const whose of [other.userId, 'all'])
    expect(await call(`?user_id=${whose}`)).toMatchObject({ status: 403, code: 'role_narrowed' })
  expect(await call(`/${foreign.keyId}`, 'DELETE')).toMatchObject({ status: 404, code: 'api_key_not_found' })
  for (const query of ['', `?user_id=${narrowed.userId}`])
    expect(await call(query)).toMatchObject({ api_keys: [{ id: own.keyId }] })
})
