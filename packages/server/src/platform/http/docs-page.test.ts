import { auditActions, problems, routeAccess } from '@plimsoll/contract'
import { beforeAll, expect, test } from 'vitest'
import { send, useTestApp } from '../../../test/test-app.ts'
import type { OpenApi } from './openapi.ts'

const t = useTestApp()

let page: string
let api: OpenApi
beforeAll(async () => {
  page = (await send(t, { url: '/docs' })).body
  api = (await send(t, { url: '/openapi.json' })).json()
})

/** The article of a route, as text. */
function article(operationId: string): string {
  const [, rest = ''] = page.split(`<article id="${operationId}">`)
  return (rest.split('</article>')[0] ?? '')
    .replaceAll(/<[^<>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&quot;', '"')
}

test('every link of the page leads to a place on it, and every shape appears once', () => {
  const anchors = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  expect(new Set(anchors).size).toBe(anchors.length)
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  expect(links.filter((id) => !anchors.includes(id))).toEqual([])
  for (const name of Object.keys(api.components.schemas)) expect(anchors).toContain(`shape-${name}`)
})

test('scopes and permissions without an effect yet are marked where they are granted', () => {
  for (const id of ['createApiKey', 'createRole']) {
    const text = article(id)
    expect(text).toContain('Not used by any operation yet')
    expect(text.split('Not used by')[1]).toMatch(/alerts:delete.*reports:write/)
  }
})

test('examples of future times are in the future whenever the page is served', async () => {
  const served = t.clock.now
  const snoozeExample = /"until":"([^"]+)"/
  for (const now of ['2026-05-01T00:00:00Z', '2031-02-03T23:59:59Z']) {
    t.clock.now = new Date(now)
    page = (await send(t, { url: '/docs' })).body
    const until = snoozeExample.exec(article('snoozeRecommendation'))?.[1] ?? ''
    const daysAhead = (Date.parse(until) - t.clock.now.getTime()) / 86_400_000
    expect(daysAhead).toBeGreaterThan(1)
    expect(daysAhead).toBeLessThan(366)
    const document = await send(t, { url: '/openapi.json' })
    const { SnoozeBody } = document.json<OpenApi>().components.schemas
    expect(SnoozeBody?.examples).toEqual([{ until }])
  }
  t.clock.now = served
})

test('the body of an API key says which permissions a key without scopes has', () => {
  expect(article('createApiKey')).toContain('Omitted: the key has all permissions of its creator')
})

test('parameters and fields show their defaults, limits and formats', () => {
  expect(article('listClusters')).toContain('default 1000; 1 to 1000')
  expect(article('listClusters')).toContain('default "name"')
  expect(article('createCluster')).toContain('1 to 100 characters')
  expect(article('createApiKey')).toContain('string (date-time)')
  expect(article('createRole')).toContain('at most 1000 entries; no duplicates; each: A cluster ID')
  expect(article('shape-Cluster')).toMatch(/agent\.last_seen_at string \(date-time\) \| null/)
})

test('names and values in descriptions are code, and no limit is repeated', () => {
  const outsideCode = page.replaceAll(/<pre>.*?<\/pre>/gs, '')
  expect(outsideCode).not.toContain('`')
  expect(page).not.toMatch(/\b(\d+ to \d+ characters)\. \1/)
})

test('the page documents restriction, throttling, idempotency, limits, audit actions and problem codes', () => {
  for (const id of ['narrowing', 'throttle', 'idempotency', 'limits', 'audit-actions', 'problems'])
    expect(page).toContain(`id="${id}"`)
  for (const action of Object.keys(auditActions)) expect(page).toContain(`<code>${action}</code>`)
  for (const code of Object.keys(problems)) expect(page).toContain(`id="problem-${code}"`)
})

test('the page documents the maximum body size, in general and per route', () => {
  expect(page).toContain('at most 262,144 bytes, unless the operation allows more')
  expect(article('createCluster')).toContain('application/json, at most 262,144 bytes')
  expect(article('submitMetrics')).toContain('application/json, at most 10,485,760 bytes')
  expect(article('loadPriceBook')).toContain('application/octet-stream, at most 1,048,576 bytes')
})

test('the table of permissions has every permission that a route requires, including that of agents', () => {
  const needed = Object.values(routeAccess).filter((access) => access.includes(':'))
  for (const permission of needed) expect(page).toContain(`<td><code>${permission}</code></td>`)
  const row = /<td><code>metrics:submit<\/code><\/td>(.*?)<\/tr>/s.exec(page)?.[1] ?? ''
  expect([...row.matchAll(/<td>(.)/g)].map(([, cell]) => cell)).toEqual(['–', '–', '–', 'y'])
})

test('the page is also served with a trailing slash', async () => {
  const response = await send(t, { url: '/docs/' })
  expect([response.statusCode, response.headers.location]).toEqual([301, '/docs'])
})

test('the page needs no outside host', () => {
  expect([...page.matchAll(/(?:src|href)="([^"#][^"]*)"/g)].map(([, to]) => to).sort()).toEqual([
    '/assets/favicon.svg',
    '/assets/plimsoll.css',
    '/openapi.json',
  ])
})
