import {
  isOpenToAnyone,
  operations,
  pageRouteAccess,
  routeAccess,
  permissions,
  type Access,
  type Operation,
  type Permission,
} from '@plimsoll/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeAll, describe, expect, test } from 'vitest'
import { isFull } from '../../../test/rounds.ts'
import { buildApp } from '../src/app.ts'
import { requireAccess } from '../src/platform/http/gate.ts'
import { customCallers, knownCallers, refusedCallers, type TestCaller } from './callers.ts'
import { aPerson } from './people.ts'
import { makeTestApp, send, useTestApp, type Call } from './test-app.ts'

/**
 * Duplicated on purpose: a change of access must change this table in the same commit. The right column is the response
 * from behind the gate for the request below.
 */
const expected: Record<string, [access: Access, answer: string]> = {
  'GET /healthz': ['probe', '200'],
  'GET /readyz': ['probe', '200'],
  'GET /metrics': ['probe', '200'],
  'GET /openapi.json': ['free', '200'],
  'GET /docs': ['free', '200'],
  'GET /docs/': ['free', '301'],
  'GET /': ['free', '200'],
  'GET /welcome': ['free', '200'],
  'GET /sign-in': ['free', '200'],
  'GET /recommendations': ['free', '200'],
  'GET /recommendations/:id': ['free', '200'],
  'GET /allocation': ['free', '200'],
  'GET /changes': ['free', '200'],
  'GET /workloads/:name': ['free', '200'],
  'GET /namespaces/:name': ['free', '200'],
  'GET /teams/:name': ['free', '200'],
  'GET /efficiency': ['free', '200'],
  'GET /nodes': ['free', '200'],
  'GET /nodes/:name': ['free', '200'],
  'GET /savings': ['free', '200'],
  'GET /budgets': ['free', '200'],
  'GET /statements': ['free', '200'],
  'GET /clusters': ['free', '200'],
  'GET /clusters/new': ['free', '200'],
  'GET /clusters/:cluster_id': ['free', '200'],
  'GET /settings': ['free', '200'],
  'GET /settings/:section': ['free', '200'],
  'GET /assets/:file': ['free', '404 not_found'],
  'GET /favicon.ico': ['free', '200'],
  'GET /install/agent.yaml': ['free', '200'],
  'GET /install/plimsoll-agent.tgz': ['free', '200'],

  'POST /auth/login': ['anonymous', '422 invalid_body'],
  'POST /auth/accept': ['anonymous', '422 invalid_body'],
  'POST /auth/refresh': ['person', '422 invalid_body'],
  'GET /auth/me': ['caller', '200'],
  'POST /auth/password': ['person', '422 invalid_body'],
  'GET /auth/methods': ['anonymous', '200'],
  'GET /auth/oidc/start': ['anonymous', '404 identity_provider_not_found'],
  'GET /auth/oidc/callback': ['anonymous', '404 identity_provider_not_found'],
  'GET /auth/sessions': ['person', '200'],
  'DELETE /auth/sessions/:session_id': ['person', '404 session_not_found'],

  'GET /api/v1/clusters': ['clusters:read', '200'],
  'POST /api/v1/clusters': ['clusters:write', '422 invalid_body'],
  'GET /api/v1/clusters/:cluster_id': ['clusters:read', '404 cluster_not_found'],
  'PATCH /api/v1/clusters/:cluster_id': ['clusters:write', '404 cluster_not_found'],
  'DELETE /api/v1/clusters/:cluster_id': ['clusters:delete', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/agent-manifest': ['clusters:read', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/install': ['clusters:read', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/agent-tokens': ['clusters:token', '404 cluster_not_found'],
  'POST /api/v1/clusters/:cluster_id/agent-tokens': ['clusters:token', '404 cluster_not_found'],
  'DELETE /api/v1/clusters/:cluster_id/agent-tokens/:token_id': ['clusters:token', '404 cluster_not_found'],

  'GET /api/v1/clusters/:cluster_id/summary': ['clusters:read', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/nodes': ['clusters:read', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/workloads': ['clusters:read', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/data-quality': ['clusters:read', '404 cluster_not_found'],
  'GET /api/v1/clusters/:cluster_id/explain': ['clusters:read', '404 cluster_not_found'],
  'POST /api/v1/clusters/:cluster_id/sync': ['clusters:write', '404 cluster_not_found'],
  'GET /api/v1/jobs/:job_id': ['clusters:read', '404 job_not_found'],
  'GET /api/v1/idle-costs': ['clusters:read', '400 invalid_parameter'],
  'GET /api/v1/overview': ['clusters:read', '200'],
  'GET /api/v1/allocation': ['reports:read', '200'],
  'GET /metrics/costs': ['reports:read', '200'],
  'GET /metrics/opencost': ['reports:read', '400 invalid_parameter'],
  'GET /api/v1/focus': ['reports:read', '200'],
  'GET /model/allocation': ['reports:read', '200'],
  'GET /model/allocation/compute': ['reports:read', '200'],
  'GET /model/allocation/summary': ['reports:read', '200'],
  'GET /model/allocation/compute/summary': ['reports:read', '200'],
  'GET /model/allocation/autocomplete': ['reports:read', '200'],
  'GET /model/assets': ['reports:read', '200'],
  'GET /model/assets/autocomplete': ['reports:read', '200'],
  'GET /model/clusterInfo': ['reports:read', '200'],
  'GET /model/clusterInfoMap': ['reports:read', '200'],
  'GET /model/getConfigs': ['reports:read', '200'],
  'GET /model/cloudCost': ['reports:read', '200'],
  'GET /model/cloudCost/view/graph': ['reports:read', '200'],
  'GET /model/cloudCost/view/totals': ['reports:read', '200'],
  'GET /model/cloudCost/view/table': ['reports:read', '200'],
  'GET /model/cloudCost/status': ['reports:read', '200'],
  'GET /model/customCost/total': ['reports:read', '200'],
  'GET /model/customCost/timeseries': ['reports:read', '200'],
  'GET /model/customCost/status': ['reports:read', '200'],
  'GET /api/v1/search': ['caller', '400 invalid_parameter'],
  'GET /api/v1/changes': ['reports:read', '200'],
  'POST /api/v1/estimates': ['clusters:read', '422 invalid_body'],
  'GET /api/v1/forecast': ['reports:read', '200'],
  'GET /api/v1/statements': ['reports:read', '200'],
  'GET /api/v1/statements/:month/:team': ['reports:read', '404 statement_not_found'],
  'GET /api/v1/views': ['reports:read', '200'],
  'POST /api/v1/views': ['reports:read', '422 invalid_body'],
  'PATCH /api/v1/views/:view_id': ['reports:read', '404 view_not_found'],
  'DELETE /api/v1/views/:view_id': ['reports:read', '404 view_not_found'],
  'GET /api/v1/budgets': ['budgets:read', '200'],
  'POST /api/v1/budgets': ['budgets:write', '422 invalid_body'],
  'POST /api/v1/budgets/preview': ['budgets:read', '422 invalid_body'],
  'GET /api/v1/budgets/:budget_id': ['budgets:read', '404 budget_not_found'],
  'PATCH /api/v1/budgets/:budget_id': ['budgets:write', '404 budget_not_found'],
  'DELETE /api/v1/budgets/:budget_id': ['budgets:delete', '404 budget_not_found'],
  'GET /api/v1/budgets/:budget_id/history': ['budgets:read', '404 budget_not_found'],
  'GET /api/v1/recommendations': ['recommendations:read', '200'],
  'GET /api/v1/recommendations/groups': ['recommendations:read', '400 invalid_parameter'],
  'GET /api/v1/recommendations/withheld': ['recommendations:read', '200'],
  'GET /api/v1/recommendations/:id': ['recommendations:read', '404 recommendation_not_found'],
  'GET /api/v1/recommendations/:id/history': ['recommendations:read', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/:id/approve': ['recommendations:write', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/:id/reject': ['recommendations:write', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/:id/apply': ['recommendations:apply', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/:id/reopen': ['recommendations:write', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/:id/withdraw': ['recommendations:write', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/:id/snooze': ['recommendations:write', '404 recommendation_not_found'],
  'POST /api/v1/recommendations/batch': ['recommendations:write', '422 invalid_body'],
  'POST /api/v1/recommendations/preview': ['recommendations:read', '422 invalid_body'],
  'POST /api/v1/gitops/manifests': ['recommendations:read', '422 invalid_body'],
  'GET /api/v1/gitops/helm-paths': ['recommendations:read', '400 invalid_parameter'],
  'PUT /api/v1/gitops/helm-paths': ['recommendations:write', '422 invalid_body'],
  'GET /api/v1/clusters/:cluster_id/plan': ['recommendations:read', '404 cluster_not_found'],
  'GET /api/v1/plans': ['recommendations:read', '200'],
  'POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/approve': ['recommendations:write', '404 cluster_not_found'],
  'POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/reject': ['recommendations:write', '404 cluster_not_found'],
  'POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/withdraw': ['recommendations:write', '404 cluster_not_found'],
  'GET /api/v1/rules': ['recommendations:read', '200'],
  'GET /api/v1/savings': ['recommendations:read', '200'],
  'GET /api/v1/policies': ['settings:read', '200'],
  'PUT /api/v1/policies': ['settings:write', '422 invalid_body'],

  'POST /api/v1/agent/metrics': ['metrics:submit', '400 invalid_parameter'],

  'GET /api/v1/prices': ['billing:read', '400 invalid_parameter'],
  'GET /api/v1/price-overrides': ['billing:read', '200'],
  'POST /api/v1/price-overrides': ['billing:write', '422 invalid_body'],
  'DELETE /api/v1/price-overrides/:override_id': ['billing:write', '404 price_override_not_found'],
  'GET /api/v1/price-books': ['billing:read', '200'],
  'POST /api/v1/price-books': ['billing:write', '415 unsupported_media_type'],

  'GET /api/v1/users': ['users:read', '200'],
  'POST /api/v1/users': ['users:write', '422 invalid_body'],
  'GET /api/v1/users/:user_id': ['users:read', '404 user_not_found'],
  'PATCH /api/v1/users/:user_id': ['users:write', '404 user_not_found'],
  'DELETE /api/v1/users/:user_id': ['users:delete', '404 user_not_found'],
  'POST /api/v1/users/:user_id/link': ['users:write', '404 user_not_found'],

  'GET /api/v1/roles': ['roles:read', '200'],
  'POST /api/v1/roles': ['roles:write', '422 invalid_body'],
  'GET /api/v1/roles/:role': ['roles:read', '404 role_not_found'],
  'PATCH /api/v1/roles/:role': ['roles:write', '404 role_not_found'],
  'DELETE /api/v1/roles/:role': ['roles:write', '404 role_not_found'],

  'GET /api/v1/api-keys': ['caller', '200'],
  'POST /api/v1/api-keys': ['person', '422 invalid_body'],
  'DELETE /api/v1/api-keys/:key_id': ['person', '404 api_key_not_found'],

  'GET /api/v1/sign-in-rules': ['settings:read', '200'],
  'PUT /api/v1/sign-in-rules': ['settings:write', '422 invalid_body'],
  'GET /api/v1/teams': ['reports:read', '200'],
  'GET /api/v1/teams/:team': ['reports:read', '404 team_not_found'],
  'DELETE /api/v1/teams/:team': ['settings:write', '404 team_not_found'],
  'PUT /api/v1/teams/:team': ['settings:write', '422 invalid_body'],
  'GET /api/v1/team-mapping': ['settings:read', '200'],
  'PUT /api/v1/team-mapping': ['settings:write', '422 invalid_body'],
  'GET /api/v1/cost-sharing': ['settings:read', '200'],
  'PUT /api/v1/cost-sharing': ['settings:write', '422 invalid_body'],
  'GET /api/v1/signing-keys': ['settings:read', '200'],
  'POST /api/v1/signing-keys': ['settings:write', '422 invalid_body'],

  'GET /api/v1/alerts': ['alerts:read', '200'],
  'GET /api/v1/alerts/:alert_id': ['alerts:read', '404 alert_not_found'],
  'POST /api/v1/alerts/:alert_id/acknowledge': ['alerts:write', '404 alert_not_found'],
  'POST /api/v1/alerts/:alert_id/snooze': ['alerts:write', '404 alert_not_found'],
  'POST /api/v1/alerts/:alert_id/accept': ['alerts:write', '404 alert_not_found'],
  'GET /api/v1/alert-rules': ['alerts:read', '200'],
  'PATCH /api/v1/alert-rules/:rule': ['alerts:write', '404 alert_rule_not_found'],
  'PUT /api/v1/alert-delivery': ['alerts:write', '422 invalid_body'],

  'GET /api/v1/channels': ['webhooks:read', '200'],
  'POST /api/v1/channels': ['webhooks:write', '422 invalid_body'],
  'GET /api/v1/channels/:channel_id': ['webhooks:read', '404 channel_not_found'],
  'PATCH /api/v1/channels/:channel_id': ['webhooks:write', '404 channel_not_found'],
  'DELETE /api/v1/channels/:channel_id': ['webhooks:write', '404 channel_not_found'],
  'POST /api/v1/channels/:channel_id/test': ['webhooks:write', '404 channel_not_found'],
  'GET /api/v1/channels/:channel_id/deliveries': ['webhooks:read', '404 channel_not_found'],
  'POST /api/v1/channels/:channel_id/redeliver': ['webhooks:write', '404 channel_not_found'],

  'GET /api/v1/audit': ['audit:read', '200'],

  'POST /auth/logout': ['person', '422 invalid_body'],
}

/** Requires a permission, and rejects API keys. */
const personsOnly = new Set(['POST /api/v1/users/:user_id/link', 'PUT /api/v1/sign-in-rules'])

const t = useTestApp()

describe('the contract', () => {
  test('lists the routes, each with its access', () => {
    const said = Object.fromEntries(Object.entries(expected).map(([route, [access]]) => [route, access]))
    expect(routeAccess).toEqual(said)
  })

  test('lists no route that is not served', () => {
    const missing = Object.keys(routeAccess).filter((route) => !isServed(t.app, route))
    expect(missing).toEqual([])
  })
})

test.each([
  { name: 'a path that the contract does not list', path: '/api/v1/surprise' },
  { name: 'the path of an operation without its schemas', path: '/api/v1/audit' },
])('$name cannot be registered', ({ path }) => {
  const app = Fastify()
  requireAccess(app)
  expect(() => app.get(path, async () => 'no access rule')).toThrow(
    `route GET ${path} is neither an operation of the contract nor in`,
  )
})

describe('the service does not start', () => {
  const refusal = (route: string) => `route ${route} is neither an operation of the contract nor in`

  test('if an operation has no entry under its name', async () => {
    const entries: Record<string, Operation> = operations
    const { listAuditEntries } = operations
    entries.listAuditEntries = { ...listAuditEntries, name: 'unlisted' }
    try {
      await expect(buildApp(t.deps)).rejects.toThrow(refusal('GET /api/v1/audit'))
    } finally {
      entries.listAuditEntries = listAuditEntries
    }
  })

  test('if a page has no access entry', async () => {
    const entries: Partial<Record<string, Access>> = pageRouteAccess
    delete entries['GET /nodes']
    try {
      await expect(buildApp(t.deps)).rejects.toThrow(refusal('GET /nodes'))
    } finally {
      entries['GET /nodes'] = 'free'
    }
  })
})

/**
 * The gate decides by the access of a route. A full run asks all routes; a short run asks one route of each access and
 * those that matter for the caller.
 */
const oneOfEachAccess = (routes: readonly string[]) => [
  ...new Map(routes.map((route) => [accessTo(route), route])).values(),
]

describe('every route answers as the table says', () => {
  const inUse = [...new Set(Object.values(expected).map(([access]) => access))].filter(isPermission)
  const routes = Object.keys(expected)
  const guarded = routes.filter(isGuarded)
  const needing = (permission: Permission) => routes.filter((route) => accessTo(route) === permission)
  const customRoles = inUse.flatMap((permission) => [
    {
      ...{ name: `role with nothing but ${permission}`, permission },
      holds: [permission],
      called: isFull ? guarded : [...new Set([...needing(permission), ...oneOfEachAccess(guarded)])],
    },
    {
      ...{ name: `role with everything but ${permission}`, permission },
      holds: permissions.filter((each) => each !== permission),
      // The other routes answer a role with one permission, so they answer this role as well.
      called: needing(permission),
    },
  ])

  test('to known callers', async () => {
    // Below, a caller without credentials gets all open routes.
    for (const caller of await knownCallers(t)) await compare(caller, isFull ? routes : guarded)
  })

  test.each(customRoles)('to a $name and its API key', async ({ name, permission, holds, called }) => {
    const { person, key } = await customCallers(t, name, holds)
    await compare(person, called)
    await compare(key, needing(permission))
  })

  test('to unknown, revoked, expired and tampered credentials', async () => {
    const [anonymous, ...others] = await refusedCallers(t)
    if (anonymous) await compare(anonymous)
    for (const caller of others) await compare(caller, isFull ? routes : oneOfEachAccess(routes))
  })
})

test('HEAD has the access of GET', async () => {
  const routes = Object.keys(expected).filter((each) => each.startsWith('GET '))
  const anonymous: TestCaller = { name: 'anonymous', headers: {}, is: { kind: 'nobody' } }
  for (const caller of [...(await knownCallers(t)), anonymous]) {
    const asksAll = isFull || caller.name === 'admin' || caller === anonymous
    for (const route of asksAll ? routes : oneOfEachAccess(routes)) {
      const head = await send(t, { ...request(route, caller), method: 'HEAD' })
      const [status] = expectedAnswer(route, caller).split(' ')
      expect(`${caller.name}: HEAD ${route} ${head.statusCode}`).toBe(`${caller.name}: HEAD ${route} ${status}`)
    }
  }
})

describe('a session cookie', () => {
  let cookie: string
  beforeAll(async () => {
    cookie = `plimsoll_session=${(await aPerson(t)).token}`
  })

  const writes = Object.keys(expected).filter((route) => !route.startsWith('GET ') && isGuarded(route))

  test.each([
    { name: 'no Origin', headers: {} },
    { name: 'another Origin', headers: { origin: 'https://evil.example' } },
    { name: 'the Origin null', headers: { origin: 'null' } },
  ])('does not write with $name', async ({ headers }) => {
    const caller: TestCaller = { name: 'cookie', headers: { ...headers, cookie }, is: { kind: 'nobody' } }
    const answers = await Promise.all(writes.map(async (route) => `${route}: ${await answerTo(route, caller)}`))
    expect(answers).toEqual(writes.map((route) => `${route}: 403 cross_site_request`))
  })
})

test('beyond the limit the response does not reveal the access', async () => {
  const limited = await makeTestApp({ limits: { person: 1, address: 1 } })
  const { bearer } = await aPerson(limited, 'viewer')
  const twice = async (url: string, headers: Record<string, string>) => {
    await send(limited, { url, headers })
    return (await send(limited, { url, headers })).statusCode
  }
  expect(await twice('/api/v1/users', bearer)).toBe(429)
  expect(await twice('/api/v1/users', {})).toBe(429)
  expect(await twice('/healthz', {})).toBe(200)
  await limited.app.close()
  await limited.drop()
})

async function compare(caller: TestCaller, routes = Object.keys(expected)): Promise<void> {
  const ask = async (route: string) => `${route}: ${await answerTo(route, caller)}`
  const answers = await Promise.all(routes.map(ask))
  expect(answers, caller.name).toEqual(routes.map((route) => `${route}: ${expectedAnswer(route, caller)}`))
}

async function answerTo(route: string, caller: TestCaller): Promise<string> {
  const response = await send(t, request(route, caller))
  if (!String(response.headers['content-type']).startsWith('application/problem+json')) return `${response.statusCode}`
  const { code, required_permission: needed } = response.json<{ code: string; required_permission?: string }>()
  return [response.statusCode, code, needed].filter((part) => part !== undefined).join(' ')
}

function expectedAnswer(route: string, { is, query }: TestCaller): string {
  const [access, answer] = expected[route] ?? ['free', 'no such route']
  if (query !== undefined && closedToParameters.has(route)) return '400 invalid_parameter'
  if (isOpenToAnyone(access)) return answer
  if (is.kind === 'nobody') return '401 unauthenticated'
  if (is.kind === 'unclear') return '400 conflicting_credentials'
  if (is.kind === 'gone') return '410 cluster_gone'
  if (access === 'person') return is.kind === 'person' ? answer : '403 credential_not_allowed'
  if (access === 'caller') return is.kind === 'agent' ? '403 credential_not_allowed' : answer
  if (!is.permissions.includes(access)) return `403 forbidden ${access}`
  return is.kind === 'api_key' && personsOnly.has(route) ? '403 credential_not_allowed' : answer
}

/** Public operations that accept no other parameters. Those with a body answer its errors first. */
const closedToParameters = new Set(['GET /auth/methods', 'GET /auth/oidc/start'])

/** Valid ids of missing objects, and invalid bodies: a request that passes the gate changes nothing. */
function request(route: string, { headers, query }: TestCaller): Call {
  const [method = '', pattern = ''] = route.split(' ')
  const url = pattern
    .replace(':cluster_id', 'cls_00000000000000000000000000')
    .replace(':token_id', 'agt_00000000000000000000000000')
    .replace(':job_id', 'job_00000000000000000000000000')
    .replace(':key_id', 'key_00000000000000000000000000')
    .replace(':id', 'rec_0000000000000000000000000000000000000000000000000000')
    .replace(':user_id', '00000000-0000-4000-8000-000000000000')
    .replace(/:\w+/, 'nothing')
  const body = method === 'POST' || method === 'PATCH' ? { body: { nonsense: true } } : {}
  return { method: method as 'GET', url: query === undefined ? url : `${url}?${query}`, headers, ...body }
}

const isPermission = (access: Access): access is Permission => access.includes(':')

const accessTo = (route: string) => expected[route]?.[0]

const isGuarded = (route: string) => !isOpenToAnyone(accessTo(route))

function isServed(app: FastifyInstance, route: string): boolean {
  const [method = '', url = ''] = route.split(' ')
  return app.hasRoute({ method, url })
}
