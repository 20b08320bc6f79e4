import { auditActions, auditTargetTypes } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import type { OpenApi, Parameter } from '../src/platform/http/openapi.ts'
import { aChannel } from './channels.ts'
import { aCluster, aPerson } from './people.ts'
import { send, useTestApp } from './test-app.ts'

const t = useTestApp()

type Reading = { path: string; needed: string; parameters: Parameter[] }
type ProblemAnswer = { status?: number; code?: string; detail?: string; errors?: { parameter: string; code: string }[] }

let readings: Reading[]
let read: (url: string) => Promise<ProblemAnswer>

/** Every GET route under /api/v1 with parameters, with its required parameters. */
beforeAll(async () => {
  const { bearer: headers } = await aPerson(t)
  const { clusterId } = await aCluster(t)
  const { channelId } = await aChannel(t.deps, 'webhook', { url: 'https://receiver.example' })
  read = async (url) => (await send(t, { url, headers })).json<ProblemAnswer>()
  const api = (await send(t, { url: '/openapi.json' })).json<OpenApi>()
  readings = Object.entries(api.paths).flatMap(([path, { get }]) => {
    const parameters = get?.parameters.filter(({ in: place }) => place === 'query') ?? []
    if (!path.startsWith('/api/v1') || parameters.length === 0) return []
    const needed = parameters.some(({ name }) => name === 'cluster_id') ? `cluster_id=${clusterId}&` : ''
    const known = path.replace('{cluster_id}', clusterId).replace('{channel_id}', channelId)
    return [{ path: known, needed, parameters }]
  })
})

test('every list rejects a repeated parameter, whichever it is', async () => {
  expect(readings.length).toBeGreaterThan(15)
  for (const { path, needed, parameters } of readings) {
    const others = parameters.filter(({ name }) => name !== 'cluster_id')
    for (const { name } of others) {
      const problem = await read(`${path}?${needed}${name}=1&${name}=2`)
      expect([path, problem]).toMatchObject([
        path,
        {
          status: 400,
          code: 'invalid_parameter',
          detail: `${name}: must not be repeated; separate several values with commas.`,
          errors: [{ parameter: name, code: 'repeated' }],
        },
      ])
    }
  }
})

test('every list rejects an unknown value of an enumerated parameter, and names the allowed values', async () => {
  const enumerated = readings.flatMap(({ path, needed, parameters }) =>
    parameters.flatMap(({ name, schema }) =>
      Array.isArray(schema.enum) ? [{ path, needed, name, choices: schema.enum.join(', ') }] : [],
    ),
  )
  expect(enumerated.length).toBeGreaterThan(5)
  for (const { path, needed, name, choices } of enumerated) {
    const problem = await read(`${path}?${needed}${name}=typo`)
    expect([path, problem.status, problem.detail]).toEqual([
      path,
      400,
      `${name}: must be one of ${choices}, got "typo".`,
    ])
  }
})

test('every list rejects a time range that ends before it starts', async () => {
  const ranged = readings.filter(({ parameters }) => parameters.some(({ name }) => name === 'from'))
  expect(ranged.length).toBeGreaterThan(5)
  for (const { path, needed, parameters } of ranged) {
    const isMonth = parameters.find(({ name }) => name === 'from')?.schema.format !== 'date-time'
    const [early, late] = isMonth ? ['2026-01', '2026-02'] : ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
    expect([path, await read(`${path}?${needed}from=${late}&to=${early}`)]).toMatchObject([
      path,
      { status: 400, code: 'invalid_parameter', errors: [{ parameter: 'from' }] },
    ])
  }
})

const statuses = 'pending, approved, rejected, implemented, superseded, resolved, expired'

test.each([
  { list: 'audit', query: 'action=cluster.create,cluster.typo', known: Object.keys(auditActions).join(', ') },
  { list: 'audit', query: 'target_type=clusters', known: auditTargetTypes.join(', ') },
  { list: 'recommendations', query: 'status=pending,open', known: statuses },
  { list: 'recommendations', query: 'category=cpu', known: 'cpu_memory' },
  { list: 'recommendations', query: 'severity=urgent', known: 'low, medium, high, critical' },
  { list: 'recommendations', query: 'risk=none', known: 'low, medium, high' },
  { list: 'recommendations', query: 'verification=verified,undone', known: 'reverted, regressed, __none__' },
  { list: 'recommendations', query: 'rule_id=pv_orphaned,pv_orphan', known: 'pv_orphaned' },
  { list: 'recommendations/withheld', query: 'reason=because', known: 'too_little_history' },
  { list: 'recommendations/withheld', query: 'rule_id=typo', known: 'requests_missing' },
  { list: 'savings', query: 'rule_id=typo', known: 'requests_missing' },
  { list: 'savings', query: 'by=months', known: 'month, cluster, namespace, rule' },
  { list: 'allocation', query: 'by=namespaces', known: 'namespace' },
])('a mistyped value in ?$query of $list does not return an empty list', async ({ list, query, known }) => {
  const problem = await read(`/api/v1/${list}?${query}`)
  expect(problem).toMatchObject({ status: 400, code: 'invalid_parameter' })
  expect(problem.detail).toContain(known)
})

test.each([
  { list: 'recommendations?min_savings=1e400', said: 'min_savings: must be a number, got a larger value.' },
  { list: 'recommendations?min_savings=-1e400', said: 'min_savings: must be a number, got a larger value.' },
  { list: 'recommendations?min_savings=ten', said: 'min_savings: must be a number, got "ten".' },
  { list: 'audit?limit=1e999', said: 'limit: must be a whole number, got a larger value.' },
  { list: 'savings?from=January', said: 'from: must be a month such as 2026-01, got "January".' },
  { list: 'api-keys?user_id=me', said: 'user_id: must be a user ID, or all, got "me".' },
])('?$list explains the error: $said', async ({ list, said }) => {
  expect(await read(`/api/v1/${list}`)).toMatchObject({ status: 400, detail: said })
})
