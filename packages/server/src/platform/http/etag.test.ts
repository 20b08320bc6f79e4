import { beforeAll, expect, test } from 'vitest'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

let admin: Person
let url: string

beforeAll(async () => {
  admin = await aPerson(t)
  url = `/api/v1/clusters/${(await aCluster(t)).clusterId}`
})

const read = (headers: Record<string, string> = {}, from = url) =>
  send(t, { url: from, headers: { ...admin.bearer, ...headers } })

const currentTag = async (from = url) => String((await read({}, from)).headers.etag)

test.each<[string, (tag: string) => string]>([
  ['the tag', (tag) => tag],
  ['the weak tag, as a compressing proxy makes it', (tag) => `W/${tag}`],
  ['a list with the tag', (tag) => `"x", ${tag},"y"`],
  ['a star', () => '*'],
])('who has %s is answered with 304 and no body', async (_what, sent) => {
  const tag = await currentTag()
  const response = await read({ 'if-none-match': sent(tag) })
  expect([response.statusCode, response.body, response.headers.etag]).toEqual([304, '', tag])
})

test.each(['"x"', 'x', '', ','])('a caller with %j gets the full response', async (tag) => {
  expect((await read({ 'if-none-match': tag })).statusCode).toBe(200)
})

const rename = (ifMatch: string, name: string) =>
  send(t, { method: 'PATCH', url, headers: { ...admin.bearer, 'if-match': ifMatch }, body: { name } })

test.each<{ what: string; sent: (tag: string) => string; status: number }>([
  { what: 'the tag', sent: (tag) => tag, status: 200 },
  { what: 'a star', sent: () => '*', status: 200 },
  { what: 'a list with the tag', sent: (tag) => `"0-x", ${tag}`, status: 200 },
  { what: 'another tag', sent: () => '"0-x"', status: 412 },
  { what: 'a weak tag', sent: (tag) => `W/${tag}`, status: 200 },
  { what: 'another weak tag', sent: () => 'W/"0-x"', status: 412 },
])('an edit of who has $what is $status', async ({ what, sent, status }) => {
  const response = await rename(sent(await currentTag()), `renamed by ${what}`)
  expect(response.statusCode).toBe(status)
  if (status === 412) expectProblem(response, 'precondition_failed')
})

test('of two edits of the same version the second fails and changes nothing', async () => {
  const tag = await currentTag()
  expect((await rename(tag, 'the first')).statusCode).toBe(200)
  expectProblem(await rename(tag, 'the second'), 'precondition_failed')
  expect((await read()).json()).toMatchObject({ name: 'the first' })
})

test('a deletion requires the same', async () => {
  const name = await aRole(t, ['clusters:read'])
  const role = `/api/v1/roles/${name}`
  const remove = (ifMatch: string) =>
    send(t, { method: 'DELETE', url: role, headers: { ...admin.bearer, 'if-match': ifMatch } })
  const tag = await currentTag(role)
  expectProblem(await remove('"0-x"'), 'precondition_failed')
  expect((await remove(tag)).statusCode).toBe(204)
})

test('a concurrent report of the agent changes the tag but does not block an edit', async () => {
  const tag = await currentTag()
  await t.db.updateTable('cluster_state').set({ pod_count: 5 }).execute()
  expect(await currentTag()).not.toBe(tag)
  expect((await rename(tag, 'edited all the same')).statusCode).toBe(200)
})

test.each<[string, (tag: string) => string]>([
  ['the tag', (tag) => tag],
  ['the weak tag', (tag) => `W/${tag}`],
])('a static file is not sent again to who has %s', async (_what, sent) => {
  const file = '/assets/plimsoll.css'
  const tag = String((await send(t, { url: file })).headers.etag)
  expect((await send(t, { url: file, headers: { 'if-none-match': sent(tag) } })).statusCode).toBe(304)
})

test.each(['3', '3-abc', "'3-abc'", '"3-abc', 'x "3-abc"', '"a" "b"', ''])(
  'If-Match %j is not an ETag: 400 with the expected form',
  async (header) => {
    const { clusterId } = await aCluster(t)
    const response = await send(t, {
      method: 'PATCH',
      url: `/api/v1/clusters/${clusterId}`,
      headers: { ...(await aPerson(t)).bearer, 'if-match': header },
      body: { region: 'eu-west-1' },
    })
    expect(response.json()).toMatchObject({
      status: 400,
      code: 'invalid_header',
      errors: [{ parameter: 'If-Match', detail: 'must be * or the quoted ETag of the response' }],
    })
  },
)
