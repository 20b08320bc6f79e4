import type { AgentToken, RotatedAgentToken } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { aCluster, anApiKey, aPerson, aRole } from '../../../test/people.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

const minute = 60_000

type Headers = Record<string, string>

const path = (clusterId: string) => `/api/v1/clusters/${clusterId}/agent-tokens`

const list = async (headers: Headers, clusterId: string) =>
  (await send(t, { url: path(clusterId), headers })).json<{ agent_tokens: AgentToken[] }>().agent_tokens

const rotate = (headers: Headers, clusterId: string, body?: unknown) =>
  send(t, { method: 'POST', url: path(clusterId), headers, body })

const revoke = (headers: Headers, clusterId: string, tokenId: string) =>
  send(t, { method: 'DELETE', url: `${path(clusterId)}/${tokenId}`, headers })

/** A known agent may not list clusters (403); an unknown one is not authenticated (401). */
async function isKnown(token: string | undefined): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` }
  const { statusCode } = await send(t, { url: '/api/v1/clusters', headers })
  expect([401, 403]).toContain(statusCode)
  return statusCode === 403
}

test('the tokens of a cluster are listed without their secrets', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, tokenId, agentToken } = await aCluster(t)
  await aCluster(t)
  const response = await send(t, { url: path(clusterId), headers: bearer })
  expect(response.json()).toEqual({
    agent_tokens: [
      {
        id: tokenId,
        cluster_id: clusterId,
        created_at: t.clock.now.toISOString(),
        expires_at: null,
        last_used_at: null,
      },
    ],
    next_cursor: null,
    has_more: false,
  })
  expect(response.body).not.toContain(agentToken)
})

test('the use of a token is recorded', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, agentToken } = await aCluster(t)
  t.clock.advance(minute)
  expect(await isKnown(agentToken)).toBe(true)
  expect((await list(bearer, clusterId))[0]?.last_used_at).toBe(t.clock.now.toISOString())
})

test('a rotated token is shown once and the older one works until the overlap ends', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, tokenId, agentToken } = await aCluster(t)
  t.clock.advance(minute)
  const response = await rotate(bearer, clusterId, { overlap_minutes: 10 })
  expect(response.statusCode).toBe(201)
  const made = response.json<RotatedAgentToken>()
  expect(made.token).toMatch(/^pla_/)
  expect(made.install?.helm).toContain(`printf %s '${made.token}' |`)
  expect(made.install?.kubectl).toContain(`printf %s '${made.token}' |`)

  const expiresAt = new Date(t.clock.now.getTime() + 10 * minute)
  const { token: _shownOnce, install: _withIt, ...rest } = made
  expect(await list(bearer, clusterId)).toEqual([
    rest,
    expect.objectContaining({ id: tokenId, expires_at: expiresAt.toISOString() }),
  ])
  t.clock.now = new Date(expiresAt.getTime() - 1)
  expect([await isKnown(agentToken), await isKnown(made.token)]).toEqual([true, true])
  t.clock.now = expiresAt
  expect([await isKnown(agentToken), await isKnown(made.token)]).toEqual([false, true])
  expect((await list(bearer, clusterId)).map(({ id }) => id)).toEqual([made.id])
})

test('without a body the overlap is a day', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, tokenId } = await aCluster(t)
  t.clock.advance(1)
  expect((await rotate(bearer, clusterId)).statusCode).toBe(201)
  const older = (await list(bearer, clusterId)).find(({ id }) => id === tokenId)
  expect(older?.expires_at).toBe(new Date(t.clock.now.getTime() + 1440 * minute).toISOString())
})

test('without an overlap the older tokens end at once', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, agentToken } = await aCluster(t)
  t.clock.advance(1)
  const { token } = (await rotate(bearer, clusterId, { overlap_minutes: 0 })).json<RotatedAgentToken>()
  expect([await isKnown(agentToken), await isKnown(token)]).toEqual([false, true])
})

test('a second rotation does not extend a token that was to end earlier', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, tokenId } = await aCluster(t)
  t.clock.advance(1)
  await rotate(bearer, clusterId, { overlap_minutes: 5 })
  const expiresAt = new Date(t.clock.now.getTime() + 5 * minute).toISOString()
  await rotate(bearer, clusterId, { overlap_minutes: 60 })
  const tokens = await list(bearer, clusterId)
  expect(tokens.find(({ id }) => id === tokenId)?.expires_at).toBe(expiresAt)
  expect(tokens.filter(({ expires_at }) => expires_at === null)).toHaveLength(1)
})

test('concurrent rotations leave one token without expiry', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId } = await aCluster(t)
  t.clock.advance(1)
  await Promise.all(Array.from({ length: 4 }, () => rotate(bearer, clusterId)))
  const tokens = await list(bearer, clusterId)
  expect(tokens).toHaveLength(5)
  expect(tokens.filter(({ expires_at }) => expires_at === null)).toHaveLength(1)
})

test.each([-1, 10_081, 1.5, '60', null])('an overlap of %j minutes is rejected', async (overlap) => {
  const { bearer } = await aPerson(t)
  const { clusterId, agentToken } = await aCluster(t)
  const response = await rotate(bearer, clusterId, { overlap_minutes: overlap })
  expect(response.json()).toMatchObject({ status: 422, errors: [{ pointer: '/overlap_minutes' }] })
  expect(await isKnown(agentToken)).toBe(true)
})

test('a revoked token ends at once', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, tokenId, agentToken } = await aCluster(t)
  expect((await revoke(bearer, clusterId, tokenId)).statusCode).toBe(204)
  expect(await isKnown(agentToken)).toBe(false)
  expect(await list(bearer, clusterId)).toEqual([])
  expect((await revoke(bearer, clusterId, tokenId)).json()).toMatchObject({ code: 'agent_token_not_found' })
})

test('the token of another cluster is not found', async () => {
  const { bearer } = await aPerson(t)
  const [mine, theirs] = [await aCluster(t), await aCluster(t)]
  const response = await revoke(bearer, mine.clusterId, theirs.tokenId)
  expect(response.statusCode).toBe(404)
  expect(response.json()).toMatchObject({ code: 'agent_token_not_found' })
  expect(await isKnown(theirs.agentToken)).toBe(true)
  expect((await revoke(bearer, mine.clusterId, 'agt_x')).statusCode).toBe(404)
})

test('agent tokens are not available to editors, nor to the agent itself', async () => {
  const editor = await aPerson(t, 'editor')
  const { clusterId, tokenId, bearer: agent } = await aCluster(t)
  for (const headers of [editor.bearer, (await anApiKey(t, editor.userId)).header, agent]) {
    const answers = [
      await send(t, { url: path(clusterId), headers }),
      await rotate(headers, clusterId),
      await revoke(headers, clusterId, tokenId),
    ]
    for (const answer of answers) {
      expect(answer.statusCode).toBe(403)
      expect(answer.json()).toMatchObject({ code: 'forbidden', required_permission: 'clusters:token' })
    }
  }
})

test('a role restricted to clusters rotates their tokens, one restricted to namespaces rotates none', async () => {
  const [mine, theirs] = [await aCluster(t), await aCluster(t)]
  const some = await aPerson(t, await aRole(t, ['clusters:token'], { clusters: [mine.clusterId] }))
  expect((await rotate(some.bearer, mine.clusterId)).statusCode).toBe(201)
  expect((await rotate(some.bearer, theirs.clusterId)).json()).toMatchObject({ code: 'cluster_not_found' })

  const part = await aPerson(t, await aRole(t, ['clusters:token'], { namespaces: ['shop'] }))
  const answers = [
    await send(t, { url: path(mine.clusterId), headers: part.bearer }),
    await rotate(part.bearer, mine.clusterId),
    await revoke(part.bearer, mine.clusterId, mine.tokenId),
  ]
  for (const answer of answers) expect(answer.json()).toMatchObject({ status: 403, code: 'role_narrowed' })
})

test('every token of a deleted cluster gets the response that it is gone', async () => {
  const { bearer } = await aPerson(t)
  const { clusterId, agentToken } = await aCluster(t)
  t.clock.advance(1)
  const { token } = (await rotate(bearer, clusterId)).json<RotatedAgentToken>()
  await send(t, { method: 'DELETE', url: `/api/v1/clusters/${clusterId}`, headers: bearer })
  for (const gone of [agentToken, token]) {
    const response = await send(t, { url: '/api/v1/clusters', headers: { authorization: `Bearer ${gone}` } })
    expect(response.json()).toMatchObject({ status: 410, code: 'cluster_gone' })
  }
  expect((await rotate(bearer, clusterId)).json()).toMatchObject({ status: 404, code: 'cluster_not_found' })
})
