import { describe, expect, test } from 'vitest'
import { builtInRoles, permissions, type Permission } from './permissions.ts'
import { bodyBytesMax, jsonDepthMax, jsonKeysMax } from './limits.ts'
import { problems } from './problems.ts'
import { rateLimits, rateLimitWindowSeconds } from './rate-limits.ts'

const viewer: Permission[] = ['clusters:read', 'recommendations:read', 'budgets:read', 'alerts:read', 'reports:read']

const editor: Permission[] = [
  ...viewer,
  ...(['clusters:write', 'clusters:delete', 'recommendations:write', 'recommendations:apply'] as const),
  ...(['budgets:write', 'budgets:delete', 'alerts:write', 'alerts:delete'] as const),
  ...(['reports:write', 'reports:delete', 'settings:read'] as const),
]

const admin: Permission[] = [
  ...editor,
  ...(['billing:read', 'billing:write', 'users:read', 'users:write', 'users:delete', 'roles:read'] as const),
  ...(['roles:write', 'settings:write', 'webhooks:read', 'webhooks:write', 'api_keys:read'] as const),
  ...(['api_keys:write', 'clusters:token', 'audit:read'] as const),
]

describe('built-in roles', () => {
  test('each has the permissions of this list', () => {
    const sorted = (list: readonly Permission[]) => [...list].sort()
    expect(sorted(builtInRoles.viewer)).toEqual(sorted(viewer))
    expect(sorted(builtInRoles.editor)).toEqual(sorted(editor))
    expect(sorted(builtInRoles.admin)).toEqual(sorted(admin))
    expect(sorted(permissions)).toEqual(sorted(admin))
  })

  test.each([
    ['viewer', 'editor'],
    ['editor', 'admin'],
  ] as const)('%s has no permission that %s does not have', (narrow, wide) => {
    expect(builtInRoles[wide]).toEqual(expect.arrayContaining([...builtInRoles[narrow]]))
    expect(builtInRoles[wide].length).toBeGreaterThan(builtInRoles[narrow].length)
  })

  test('a viewer only reads', () => {
    expect(builtInRoles.viewer.filter((each) => !each.endsWith(':read'))).toEqual([])
  })

  test('an admin holds every permission', () => {
    expect([...builtInRoles.admin].sort()).toEqual([...permissions].sort())
  })

  test.each(Object.entries(builtInRoles))('%s holds each permission once', (_name, held) => {
    expect(new Set(held).size).toBe(held.length)
  })

  test('only an admin manages users, roles, API keys and agent tokens', () => {
    const governing = permissions.filter((each) => /^(users|roles|api_keys|audit):|:token$/.test(each))
    expect(governing.length).toBeGreaterThan(5)
    for (const role of ['viewer', 'editor'] as const) {
      expect(builtInRoles[role].filter((each) => (governing as readonly string[]).includes(each))).toEqual([])
    }
  })

  test.each([...permissions])('%s names a resource and an action', (permission) => {
    expect(permission).toMatch(/^[a-z_]+:(read|write|delete|apply|token)$/)
  })
})

describe('problems', () => {
  test.each(Object.entries(problems))('%s has an error status and a title without a full stop', (code, problem) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(problem.status).toBeGreaterThanOrEqual(400)
    expect(problem.status).toBeLessThan(600)
    expect(problem.title).toMatch(/^[A-Z].*[^.]$/)
  })

  test.each([
    ['_not_found', 404],
    ['_taken', 409],
    ['_gone', 410],
    ['_too_large', [413, 431]],
  ])('a code that ends with %s has status %s', (end, status) => {
    const found = Object.entries(problems).filter(([code]) => code.endsWith(end))
    expect(found.length).toBeGreaterThan(0)
    for (const [, problem] of found) expect([status].flat()).toContain(problem.status)
  })

  test('no two problems have the same title', () => {
    const titles = Object.values(problems).map(({ title }) => title)
    expect(new Set(titles).size).toBe(titles.length)
  })
})

describe('limits', () => {
  test('each kind of caller may send at least one request per window', () => {
    expect(rateLimitWindowSeconds).toBeGreaterThan(0)
    for (const limit of Object.values(rateLimits)) expect(limit).toBeGreaterThanOrEqual(1)
  })

  test('a page with its files stays below the limit for pages', () => {
    expect(rateLimits.page).toBeGreaterThan(rateLimits.address)
    expect(rateLimits.api_key).toBeGreaterThan(rateLimits.person)
  })

  test('a body of the largest size can hold the largest number of keys', () => {
    const smallestKey = '"a":0,'.length
    expect(jsonKeysMax * smallestKey).toBeLessThan(bodyBytesMax)
    expect(jsonDepthMax).toBeGreaterThan(8)
  })
})
