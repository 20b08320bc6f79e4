import { isOpenToAnyone, permissions, problems, routeAccess } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import { send, useTestApp } from '../../../test/test-app.ts'
import { newCredential } from '../auth/credential-text.ts'
import type { OpenApi, Operation } from './openapi.ts'

const t = useTestApp()

let api: OpenApi
let text: string
let docs: string

beforeAll(async () => {
  text = (await send(t, { url: '/openapi.json' })).body
  api = JSON.parse(text) as OpenApi
  docs = (await send(t, { url: '/docs' })).body
})

type Listed = { path: string; method: string; operation: Operation }

const operations = (): Listed[] =>
  Object.entries(api.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

/** Every value in the document with the path that leads to it. */
function walk(value: unknown, at = '#'): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [[at, value]]
  const inner = Object.entries(value).flatMap(([key, child]) =>
    walk(child, `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  )
  return [[at, value], ...inner]
}

test('the document has the version of OpenAPI and of the service', () => {
  expect(api).toMatchObject({ openapi: '3.1.0', info: { title: 'Plimsoll', version: '0.1.0' } })
})

test('every reference resolves', () => {
  const known = new Set(walk(api).map(([at]) => at))
  const references = walk(api).filter(([at]) => at.endsWith('/$ref'))
  expect(references.length).toBeGreaterThan(20)
  expect(references.filter(([, target]) => !known.has(String(target)))).toEqual([])
})

test('every operation has a unique id, a summary, a tag and at least one response besides the problem', () => {
  const all = operations().map(({ operation }) => operation)
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  for (const { operationId, summary, tags, responses } of all) {
    expect(operationId).toMatch(/^[a-z][A-Za-z0-9]+$/)
    expect([summary, tags?.length], operationId).toEqual([expect.any(String), 1])
    expect(Object.keys(responses), operationId).toContain('default')
    expect(
      Object.keys(responses).some((status) => /^2\d\d$/.test(status)),
      operationId,
    ).toBe(true)
  }
})

test('every route of the contract is included with its access; pages are not', () => {
  const documented = new Set(['GET /healthz', 'GET /readyz', 'GET /metrics', 'GET /openapi.json'])
  const promised = Object.entries(routeAccess)
    .filter(([route, access]) => access !== 'free' || documented.has(route))
    .map(([route, access]) => [route.replaceAll(/:([^/]+)/g, '{$1}'), access])
  const listed = operations().map(({ path, method, operation }) => [
    `${method.toUpperCase()} ${path}`,
    operation['x-access'],
  ])
  expect(listed.sort()).toEqual(promised.sort())
})

test('every operation names its credentials, and each of them is described', () => {
  const known = Object.keys(api.components.securitySchemes)
  for (const { operation } of operations()) {
    const named = operation.security.flatMap((each) => Object.keys(each))
    expect(known).toEqual(expect.arrayContaining(named))
    const open = isOpenToAnyone(operation['x-access'])
    expect(named.length === 0, operation.operationId).toBe(open)
  }
})

test('every parameter in a path is declared, and none is declared twice', () => {
  for (const { path, operation } of operations()) {
    const inPath = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name]) => name)
    const declared = operation.parameters.map(({ name, in: place }) => `${place} ${name}`)
    expect(operation.parameters.filter(({ in: place }) => place === 'path').map(({ name }) => name)).toEqual(inPath)
    expect(new Set(declared).size).toBe(declared.length)
    for (const { in: place, required, schema } of operation.parameters) {
      expect(['path', 'query', 'header']).toContain(place)
      if (place === 'path') expect(required).toBe(true)
      expect(Object.keys(schema).length).toBeGreaterThan(0)
    }
  }
})

test('every response has the common headers, and every problem has the problem shape', () => {
  const promised = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  for (const { operation } of operations()) {
    for (const answer of Object.values(operation.responses)) {
      expect(Object.keys(answer.headers)).toEqual(expect.arrayContaining(promised))
      expect(answer.description).not.toBe('')
    }
    expect(operation.responses.default?.content?.['application/problem+json']?.schema).toEqual({
      $ref: '#/components/schemas/Problem',
    })
  }
})

test('an archive is documented next to the JSON, as bytes', () => {
  const { operationId = '', responses } = api.paths['/api/v1/gitops/manifests']?.post ?? {}
  const { 'application/json': json, 'application/x-tar+gzip': archive } = responses?.[200]?.content ?? {}
  expect(json?.schema).toEqual({ $ref: '#/components/schemas/ManifestResult' })
  expect(archive?.schema).toMatchObject({ type: 'string', format: 'binary' })
  const [, article = ''] = docs.split(`<article id="${operationId}">`)
  expect(article.split('</article>')[0]).toMatch(/<code>application\/x-tar\+gzip<\/code>: With/)
})

test('every body is closed', () => {
  for (const { operation } of operations()) {
    const reference = operation.requestBody?.content['application/json']?.schema.$ref
    // Batches of an agent are stored unread and validated later.
    if (reference === undefined || reference === '#/components/schemas/EncodedBatch') continue
    expect(api.components.schemas[(reference as string).split('/').at(-1) ?? '']).toMatchObject({
      additionalProperties: false,
    })
  }
})

test('it contains only JSON schema, without keywords of the tools', () => {
  const keys = walk(api).map(([at]) => at.split('/').at(-1) ?? '')
  expect(keys.filter((key) => key.startsWith('~0'))).toEqual([])
  expect(text).not.toContain('undefined')
})

test('the HTML page shows every operation, permission and problem', () => {
  for (const { path, method, operation } of operations()) {
    expect(docs).toContain(`<article id="${operation.operationId}">`)
    expect(docs).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
  }
  for (const code of Object.keys(problems)) expect(docs).toContain(`id="problem-${code}"`)
  for (const permission of permissions) expect(docs).toContain(`<code>${permission}</code>`)
})

test('the page uses no external host, no inline script and no inline style', () => {
  const links = [...docs.matchAll(/\s(?:src|href|action)="([^"]*)"/g)].map(([, target = '']) => target)
  expect(links.length).toBeGreaterThan(5)
  expect(links.filter((target) => !/^(#|\/(?!\/))/.test(target))).toEqual([])
  expect(docs).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|javascript:|@import/i)
})

test('every link inside the page has a target', () => {
  const places = new Set([...docs.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id))
  const targets = [...docs.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(targets.filter((target) => !places.has(target))).toEqual([])
})

test('all served pages and files use no external host either', async () => {
  for (const url of ['/welcome', '/assets/plimsoll.css']) {
    const { statusCode, body } = await send(t, { url })
    expect(statusCode).toBe(200)
    expect(body).not.toMatch(/(?:https?:)?\/\/[a-z0-9-]+\.[a-z]/i)
    expect(body).not.toMatch(/<style|<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|@import/i)
  }
})

test('If-Match is documented where it is supported and nowhere else', () => {
  const shown = operations().filter(({ operation }) => operation.parameters.some(({ name }) => name === 'If-Match'))
  expect(shown.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
    'delete /api/v1/budgets/{budget_id}',
    'delete /api/v1/channels/{channel_id}',
    'delete /api/v1/clusters/{cluster_id}',
    'delete /api/v1/roles/{role}',
    'delete /api/v1/teams/{team}',
    'delete /api/v1/users/{user_id}',
    'delete /api/v1/views/{view_id}',
    'patch /api/v1/alert-rules/{rule}',
    'patch /api/v1/budgets/{budget_id}',
    'patch /api/v1/channels/{channel_id}',
    'patch /api/v1/clusters/{cluster_id}',
    'patch /api/v1/roles/{role}',
    'patch /api/v1/users/{user_id}',
    'patch /api/v1/views/{view_id}',
    'post /api/v1/recommendations/{id}/apply',
    'post /api/v1/recommendations/{id}/approve',
    'post /api/v1/recommendations/{id}/reject',
    'post /api/v1/recommendations/{id}/reopen',
    'post /api/v1/recommendations/{id}/snooze',
    'post /api/v1/recommendations/{id}/withdraw',
    'post /api/v1/users/{user_id}/link',
    'put /api/v1/alert-delivery',
    'put /api/v1/cost-sharing',
    'put /api/v1/gitops/helm-paths',
    'put /api/v1/policies',
    'put /api/v1/sign-in-rules',
    'put /api/v1/team-mapping',
    'put /api/v1/teams/{team}',
  ])
})

test('every pattern is valid in JavaScript, Python, Go and Rust', () => {
  const patterns = walk(api).filter(([at]) => /\/x?-?pattern$/.test(at))
  expect(patterns.length).toBeGreaterThan(20)
  const unportable = patterns.filter(([, pattern]) => /\(\?[=!<]|\\[pPuk1-9]/.test(String(pattern)))
  expect(unportable).toEqual([])
  for (const [at, pattern] of patterns) expect(() => new RegExp(String(pattern)), at).not.toThrow()
})

test('text without its pattern has a description', () => {
  const { reason } = api.components.schemas.MoveBody?.properties as Record<string, Record<string, unknown>>
  expect(reason?.pattern).toBeUndefined()
  expect(`${String(reason?.description)} ${String(reason?.['x-form'])}`).toContain('control characters')
})

const headerSchemas = (name: string) =>
  operations().flatMap(({ operation }) => operation.parameters.filter((each) => each.name === name))

test.each([
  { name: 'Idempotency-Key', good: 'a-key', bad: 'a key' },
  { name: 'If-Match', good: '"1-abc", W/"2-def"', bad: '1-abc' },
  { name: 'If-None-Match', good: '*', bad: '"1-abc' },
  { name: 'Content-Digest', good: `sha-256=:${'A'.repeat(44)}:`, bad: 'md5=:AAAA:' },
])('the form of $name is in the document', ({ name, good, bad }) => {
  const shown = headerSchemas(name)
  expect(shown.length).toBeGreaterThan(0)
  for (const { schema } of shown) {
    const pattern = new RegExp(String(schema.pattern))
    expect([pattern.test(good), pattern.test(bad)]).toEqual([true, false])
  }
})

test('the forms of credentials and of Content-Encoding are in the document', () => {
  const {
    api_key: key,
    api_key_bearer: asBearer,
    agent_token: token,
  } = api.components.securitySchemes as Record<string, Record<string, string>>
  const made = newCredential('plk', '0'.repeat(26)).text
  expect(new RegExp(key?.['x-pattern'] ?? '').test(made)).toBe(true)
  expect(new RegExp(asBearer?.['x-pattern'] ?? '').test(made)).toBe(true)
  expect(new RegExp(token?.['x-pattern'] ?? '').test(made)).toBe(false)
  const [encoding] = headerSchemas('Content-Encoding').map(({ schema }) => new RegExp(String(schema.pattern)))
  expect(['gzip', 'GZIP', 'br', 'gzip, gzip'].map((name) => encoding?.test(name))).toEqual([true, true, false, false])
  expect(api.paths['/api/v1/clusters']?.post?.requestBody?.description).toContain('Content-Encoding')
})

test('as_of is a time; for a date, as_of_date is present', () => {
  const schemas = walk(api).flatMap(([at, value]): { at: string; properties: Record<string, unknown> }[] =>
    at.endsWith('/properties') && typeof value === 'object' && value !== null && 'as_of' in value
      ? [{ at, properties: value }]
      : [],
  )
  const formatsOf = (schema: unknown) =>
    walk(schema).flatMap(([at, value]) => (at.endsWith('/format') || at.endsWith('/type') ? [String(value)] : []))
  expect(schemas.length).toBeGreaterThan(5)
  const wrong = schemas.filter(({ properties: { as_of: asOf, as_of_date: asOfDate } }) => {
    const isTime = formatsOf(asOf).includes('date-time')
    return isTime ? asOfDate !== undefined : !formatsOf(asOfDate).includes('date')
  })
  expect(wrong.map(({ at }) => at)).toEqual([])
})
