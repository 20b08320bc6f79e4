import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { bodyBytesMax, jsonDepthMax, jsonKeysMax } from './limits.ts'
import { permissions } from './permissions.ts'
import { rateLimits, rateLimitWindowSeconds } from './rate-limits.ts'
import { CreateRoleBody } from './schemas/roles.ts'
import { PutTeamMappingBody } from './schemas/team-mapping.ts'

const many = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_each, index) => item(index))

const namespaceOf = (index: number) => `${String(index).padStart(4, '0')}${'n'.repeat(59)}`

/** The longest role that the schema permits. */
const largestRole = {
  name: 'r'.repeat(63),
  permissions: [...permissions],
  clusters: many(1000, (index) => `cls_${String(index).padStart(26, '0')}`),
  namespaces: many(1000, namespaceOf),
}

const rule = (index: number) => ({ team: `team-${index}`, namespace: 'shop-*', label: { key: 'team', value: 'x' } })
const longestMapping = { rules: many(1000, rule) }

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce((sum: number, each) => sum + countKeys(each), own)
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}

test('the longest role that the schema permits takes at most half of a body', () => {
  expect(Compile(CreateRoleBody).Errors(largestRole)).toEqual([])
  expect(JSON.stringify(largestRole).length).toBeLessThanOrEqual(bodyBytesMax / 2)
})

test('a role with one more cluster or namespace is rejected', () => {
  const isRole = Compile(CreateRoleBody)
  expect(isRole.Check({ ...largestRole, clusters: [...largestRole.clusters, 'cls_x'] })).toBe(false)
  expect(isRole.Check({ ...largestRole, namespaces: [...largestRole.namespaces, 'one-more'] })).toBe(false)
})

test('the team mapping with the maximum number of keys is accepted', () => {
  expect(Compile(PutTeamMappingBody).Errors(longestMapping)).toEqual([])
  expect(countKeys(longestMapping)).toBe(5001)
  expect(countKeys(longestMapping)).toBeLessThanOrEqual(jsonKeysMax)
  expect(depthOf(longestMapping)).toBeLessThan(jsonDepthMax)
  expect(Compile(PutTeamMappingBody).Check({ rules: many(1001, rule) })).toBe(false)
})

test('an agent that reports each minute stays far within its rate limit', () => {
  expect(rateLimits.agent).toBeGreaterThanOrEqual(10 * (rateLimitWindowSeconds / 60))
})

test('a signed-in user has a higher limit than an address without a credential', () => {
  expect(rateLimits.person).toBeGreaterThan(rateLimits.address)
  expect(rateLimits.page).toBeGreaterThan(rateLimits.person)
})
