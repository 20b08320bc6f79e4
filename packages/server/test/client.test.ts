import { ApiError, createClient, type Client } from '@plimsoll/client'
import { beforeAll, expect, test } from 'vitest'
import { anApiKey, aPerson } from './people.ts'
import { useTestApp } from './test-app.ts'

const t = useTestApp()

let baseUrl = ''
let admin: Client

beforeAll(async () => {
  baseUrl = await t.app.listen({ host: '127.0.0.1', port: 0 })
  const { bearer } = await aPerson(t)
  admin = createClient({ baseUrl, credential: { bearer: bearer.authorization.replace('Bearer ', '') } })
})

test('the client creates, reads, edits and deletes a cluster of the real service', async () => {
  const created = await admin.createCluster({ body: { name: 'client-shop' }, idempotencyKey: 'client-once' })
  const again = await admin.createCluster({ body: { name: 'client-shop' }, idempotencyKey: 'client-once' })
  expect(again.id).toBe(created.id)
  const params = { cluster_id: created.id }
  const etag = (await admin.request('getCluster', { params })).headers.get('etag') ?? ''
  expect(await admin.updateCluster({ params, body: { name: 'client-till' }, ifMatch: etag })).toMatchObject({
    name: 'client-till',
  })
  const stale = admin.updateCluster({ params, body: { name: 'client-bank' }, ifMatch: etag })
  await expect(stale).rejects.toMatchObject({ status: 412, code: 'precondition_failed' })
  expect((await admin.listClusters({ query: { limit: 10 } })).clusters.map(({ id }) => id)).toContain(created.id)
  expect(await admin.getAgentManifest({ params })).toContain('kind: Deployment')
  expect(await admin.deleteCluster({ params })).toBeNull()
})

test('an API key signs calls, and an error names the request', async () => {
  const { userId } = await aPerson(t, 'viewer')
  const { header } = await anApiKey(t, userId)
  const client = createClient({ baseUrl, credential: { apiKey: header['x-api-key'] } })
  expect((await client.getMe()).user.id).toBe(userId)
  const error = await client.createCluster({ body: { name: 'not mine' } }).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({ status: 403, code: 'forbidden', requestId: expect.any(String) as string })
})
