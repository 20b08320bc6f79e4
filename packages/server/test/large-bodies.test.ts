import { bodyBytesMax, jsonKeysMax } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import type { OpenApi } from '../src/platform/http/openapi.ts'
import { largestBodies } from './largest-bodies.ts'
import { aCluster, aPerson, aRole } from './people.ts'
import { send, useTestApp, type Call } from './test-app.ts'

const t = useTestApp()

let api: OpenApi
let headers: Record<string, string>
let names: Record<string, string>

beforeAll(async () => {
  api = (await send(t, { url: '/openapi.json' })).json<OpenApi>()
  headers = (await aPerson(t)).bearer
  names = { cluster_id: (await aCluster(t)).clusterId, user_id: (await aPerson(t, 'viewer')).userId }
  names.role = await aRole(t, ['clusters:read'])
})

type Operation = { call: Pick<Call, 'method' | 'url'>; schema: Record<string, unknown> }

/** Every operation with a JSON body; operations with other bodies have separate tests. */
function operations(): Operation[] {
  return Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { requestBody }]) => {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema || requestBody['x-max-bytes'] > bodyBytesMax) return []
      const url = path.replaceAll(/\{([^{}]+)\}/g, (_all, name: string) => names[name] ?? 'none')
      return [{ call: { method: method.toUpperCase() as 'POST', url }, schema }]
    }),
  )
}

/** Codes of bodies that no handler has read: such a body does not measure the route. */
const unreadCodes = ['malformed_json', 'body_too_large', 'malformed_request', 'unsupported_media_type']

test('every route parses a body with the maximum bytes and keys', async () => {
  const all = operations()
  expect(all.length).toBeGreaterThan(15)
  const unread: string[] = []
  for (const { call, schema } of all) {
    const bodies = largestBodies(api, schema, bodyBytesMax).filter(({ name }) => /^many (keys|objects)$/.test(name))
    for (const { name, body } of bodies) {
      const response = await send(t, { ...call, headers, body })
      const { code = '' } = response.json<{ code?: string }>()
      if (response.statusCode >= 500 || unreadCodes.includes(code)) {
        unread.push(`${call.method} ${call.url}, ${name}: ${code}`)
      }
    }
  }
  expect(unread).toEqual([])
})

test('bodies come close to the maximum bytes and keys', () => {
  const bodies = new Map(largestBodies(api, {}, bodyBytesMax).map(({ name, body }) => [name, body]))
  const keysOf = (text = '') => text.match(/":/g)?.length ?? 0
  expect(keysOf(bodies.get('many keys'))).toBe(jsonKeysMax)
  expect(keysOf(bodies.get('many objects'))).toBeGreaterThan(jsonKeysMax - 2)
  for (const body of bodies.values()) expect(Buffer.byteLength(body)).toBeGreaterThan(0.9 * bodyBytesMax)
})
