import { bodyBytesMax } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import type { OpenApi } from '../src/platform/http/openapi.ts'
import { largestBodies } from './largest-bodies.ts'
import { longestTurnMs } from './longest-turn.ts'
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

/** Every operation that takes JSON; those that take other bytes have tests of their own. */
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

const quarter = bodyBytesMax / 4

/** Four times the body takes four times as long; a square would take sixteen times. */
const growthMax = 9

/** Too short to compare. */
const unremarkableMs = 25

async function growth(call: Operation['call'], small: string, large: string): Promise<number> {
  const turn = (body: string) => longestTurnMs(() => send(t, { ...call, headers, body }))
  const largeMs = await turn(large)
  return largeMs < unremarkableMs ? 0 : largeMs / (await turn(small))
}

test('four times the body holds the event loop about four times as long, on every route', async () => {
  const all = operations()
  expect(all.length).toBeGreaterThan(15)
  const grown: string[] = []
  for (const { call, schema } of all) {
    const small = largestBodies(api, schema, quarter)
    for (const [index, { name, body }] of largestBodies(api, schema, bodyBytesMax).entries()) {
      const growths: number[] = []
      // A collection of garbage may fall into any of them, not into all.
      while (growths.length < 4 && (growths.at(-1) ?? Infinity) > growthMax)
        growths.push(await growth(call, small[index]?.body ?? '', body))
      if ((growths.at(-1) ?? 0) > growthMax) grown.push(`${call.method} ${call.url}, ${name}: ${growths.join(', ')}`)
    }
  }
  expect(grown).toEqual([])
})
