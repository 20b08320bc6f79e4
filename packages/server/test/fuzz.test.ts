import fc, { type Arbitrary } from 'fast-check'
import { expect, test } from 'vitest'
import { rounds } from '../../../test/rounds.ts'
import type { OpenApi, Operation, Parameter } from '../src/platform/http/openapi.ts'
import { fromSchema, type Schema } from './from-schema.ts'
import { aCluster, anApiKey, aPerson, aRole, type Person } from './people.ts'
import { expectProblem, expectPromisedHeaders } from './promises.ts'
import { send, useTestApp, type Call } from './test-app.ts'

const t = useTestApp()

const seed = 20_260_301
const roundCount = rounds({ short: 3, full: 21 })
const runs = 100

type Listed = { path: string; method: string; operation: Operation }
type Credential = Record<string, string>
type World = { ids: Record<string, string[]>; credentials: Credential[] }

/** Callers of every kind, and IDs of existing objects, so that requests pass the first lookup. */
async function makeWorld(): Promise<World> {
  const people = await Promise.all([aPerson(t), aPerson(t), aPerson(t), aPerson(t, 'editor'), aPerson(t, 'viewer')])
  const narrow = await aRole(t, ['clusters:read', 'clusters:write'], { clusters: [], namespaces: ['shop'] })
  const narrowed = await aPerson(t, narrow)
  const clusters = await Promise.all([aCluster(t), aCluster(t), aCluster(t)])
  const keys = await Promise.all([...people, narrowed].map(({ userId }) => anApiKey(t, userId)))
  const [clusterIds, tokenIds] = [clusters.map(({ clusterId }) => clusterId), clusters.map(({ tokenId }) => tokenId)]
  return {
    ids: {
      cluster_id: clusterIds,
      token_id: tokenIds,
      key_id: keys.slice(2).map(({ keyId }) => keyId),
      user_id: people.slice(2).map(({ userId }) => userId),
      role: [narrow, narrow, 'viewer'],
      override_id: await Promise.all(people.slice(0, 3).map(aDiscount)),
    },
    credentials: [
      {},
      ...people.slice(0, 3).flatMap(({ bearer }) => Array<Credential>(4).fill(bearer)),
      ...[...people.slice(3), narrowed].map(({ bearer }) => bearer),
      ...keys.map(({ header }) => header),
      clusters[0]?.bearer ?? {},
      { authorization: 'Bearer nonsense' },
      { 'x-api-key': 'plk_nonsense' },
    ],
  }
}

async function aDiscount({ bearer }: Person): Promise<string> {
  const body = { kind: 'discount', provider: 'aws', percent: 10 }
  const response = await send(t, { method: 'POST', url: '/api/v1/price-overrides', headers: bearer, body })
  return response.json<{ id: string }>().id
}

async function readApi(): Promise<OpenApi> {
  return (await send(t, { url: '/openapi.json' })).json<OpenApi>()
}

const listOperations = (api: OpenApi): Listed[] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )

const hostile = fc.constantFrom(
  '',
  '\0',
  "' or 1=1 --",
  '../..',
  '%00',
  '\ud800',
  '🚀',
  '__proto__',
  '-1',
  '1e999',
  'null',
)

/** Mostly values that match the schema, sometimes any value. */
const valueOf = (api: OpenApi, schema: Schema, others: Arbitrary<unknown>) =>
  fc.oneof({ weight: 4, arbitrary: fromSchema(schema, api.components.schemas) }, { weight: 1, arbitrary: others })

const textOf = (value: unknown) => encodeURIComponent(String(value).toWellFormed()).replace(/^\.\.?$/, '%2e')

function pathArbitrary({ path, operation }: Listed, { ids }: World): Arbitrary<string> {
  const parameters = operation.parameters.filter(({ in: place }) => place === 'path')
  const existing = ({ name }: Parameter) => ({
    weight: 8,
    arbitrary: fc.constantFrom(...(ids[name] ?? ['job_00000000000000000000000000'])),
  })
  const valueFor = (parameter: Parameter) => fc.oneof(existing(parameter), hostile, fc.string({ unit: 'binary' }))
  return fc
    .tuple(...parameters.map(valueFor))
    .map((values) => parameters.reduce((url, { name }, at) => url.replace(`{${name}}`, textOf(values[at])), path))
}

function queryArbitrary(api: OpenApi, { operation }: Listed): Arbitrary<string> {
  const known = operation.parameters.filter(({ in: place }) => place === 'query')
  const pair = ({ name, schema }: Parameter) => valueOf(api, schema, hostile).map((value) => `${name}=${textOf(value)}`)
  const stray = fc.tuple(fc.string(), hostile).map(([name, value]) => `${textOf(name)}=${textOf(value)}`)
  const pairs = fc.array(fc.oneof(...known.map((parameter) => ({ weight: 3, arbitrary: pair(parameter) })), stray), {
    maxLength: 3,
  })
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: pairs.map((each) => `?${each.join('&')}`) },
  )
}

function headersArbitrary({ credentials }: World): Arbitrary<Record<string, string>> {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 40 })
  const some = fc.record(
    {
      'idempotency-key': text,
      'if-match': text,
      'if-none-match': text,
      'x-request-id': text,
      origin: text,
      cookie: text,
      expect: text,
    },
    { requiredKeys: [] },
  )
  const none = fc.constant<Record<string, string>>({})
  return fc
    .tuple(fc.constantFrom(...credentials), fc.oneof({ weight: 6, arbitrary: none }, some))
    .map(([credential, others]) => ({ ...others, ...credential }))
}

function bodyArbitrary(api: OpenApi, { method, operation }: Listed): Arbitrary<unknown> {
  if (method === 'GET') return fc.constant(undefined)
  const schema = operation.requestBody?.content['application/json']?.schema
  const anything = fc.oneof(
    fc.json(),
    fc.string(),
    fc.constant(undefined),
    fc.jsonValue().map((value) => JSON.stringify(value)),
  )
  if (schema === undefined) return fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, anything)
  return valueOf(api, schema, anything).map((value) => (typeof value === 'object' ? JSON.stringify(value) : value))
}

function callArbitrary(api: OpenApi, world: World): Arbitrary<Call> {
  const calls = listOperations(api).map((listed) =>
    fc.record({
      method: fc.oneof(
        { weight: 19, arbitrary: fc.constant(listed.method) },
        { weight: 1, arbitrary: fc.constantFrom('PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS') },
      ),
      url: fc.tuple(pathArbitrary(listed, world), queryArbitrary(api, listed)).map(([path, query]) => path + query),
      headers: headersArbitrary(world),
      body: bodyArbitrary(api, listed),
    }),
  )
  return fc.oneof(...calls) as Arbitrary<Call>
}

const statuses = new Map<number, number>()

async function expectAnsweredAsPromised(call: Call): Promise<void> {
  const response = await send(t, call)
  statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
  expect(response.statusCode).toBeLessThan(500)
  if (response.statusCode >= 400 && call.method !== 'HEAD') expectProblem(response)
  else expectPromisedHeaders(response)
}

// A generated request may sign callers out and delete objects, so each round starts with new ones. On failure
// fast-check prints the seed and the smallest failing call.
test.each(Array.from({ length: roundCount }, (_, round) => seed + round))(
  `${runs} requests generated from seed %i keep the guarantees: no 5xx, valid problems, all headers`,
  async (roundSeed) => {
    const call = callArbitrary(await readApi(), await makeWorld())
    await fc.assert(fc.asyncProperty(call, expectAnsweredAsPromised), { seed: roundSeed, numRuns: runs })
  },
)

test('the generated requests reached every operation', () => {
  const met = [200, 201, 204, 400, 401, 403, 404, 405, 417, 422]
  expect([...statuses.keys()]).toEqual(expect.arrayContaining(met))
  expect([...statuses.values()].reduce((sum, count) => sum + count)).toBe(roundCount * runs)
  expect((statuses.get(200) ?? 0) + (statuses.get(201) ?? 0)).toBeGreaterThan(14 * roundCount)
})
