import { expect, test } from 'vitest'
import { isOpenToAnyone, pageRouteAccess, routeAccess } from './access.ts'
import { operations } from './operations/index.ts'
import { permissions } from './permissions.ts'

const all = Object.values(operations)

test('pages and operations share no route', () => {
  const pages = Object.keys(pageRouteAccess)
  expect(all.filter(({ route }) => pages.includes(route))).toEqual([])
  expect(Object.keys(routeAccess)).toHaveLength(pages.length + all.length)
})

test('pages are only read', () => {
  for (const route of Object.keys(pageRouteAccess)) expect(route).toMatch(/^GET \//)
})

test('an operation of the API requires a credential', () => {
  const open = all.filter(({ route, access }) => route.includes(' /api/') && isOpenToAnyone(access))
  expect(open.map(({ route }) => route)).toEqual([])
})

test('an operation without a credential is part of signing in', () => {
  const open = all.filter(({ access }) => isOpenToAnyone(access)).map(({ route }) => route)
  expect(open.length).toBeGreaterThan(0)
  for (const route of open) expect(route).toMatch(/^(POST|GET) \/auth\//)
})

test.each(['probe', 'free', 'anonymous'] as const)('%s routes are public', (access) => {
  expect(isOpenToAnyone(access)).toBe(true)
})

test.each(['person', 'caller', 'metrics:submit', ...permissions] as const)(
  '%s routes require a credential',
  (access) => {
    expect(isOpenToAnyone(access)).toBe(false)
  },
)

test('an unlisted route is not public', () => {
  expect(isOpenToAnyone(undefined)).toBe(false)
})
