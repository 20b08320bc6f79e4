import { builtInRoles } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { mayOpen, type Grant, type PagePath } from './page-access.ts'
import { firstPage, menuPages } from './menu-pages.ts'

const fleet = { clusters: null, namespaces: null, teams: null }
const viewer: Grant = { permissions: [...builtInRoles.viewer], ...fleet }
const admin: Grant = { permissions: [...builtInRoles.admin], ...fleet }
const openOf = (grant: Grant) => menuPages.filter(({ to }) => mayOpen(grant, to)).map(({ to }) => to)

test('an admin may open every page', () => {
  expect(openOf(admin)).toEqual(menuPages.map(({ to }) => to))
})

test('a viewer cannot open settings of other users or add a cluster', () => {
  const closed: PagePath[] = [
    '/settings/users',
    '/settings/prices',
    '/settings/policies',
    '/settings/audit',
    '/clusters/new',
  ]
  expect(closed.filter((page) => mayOpen(viewer, page))).toEqual([])
  expect(openOf(viewer)).toEqual(menuPages.map(({ to }) => to))
})

test('a role limited to namespaces cannot open pages about whole clusters', () => {
  const narrowed = { ...admin, namespaces: ['shop'] }
  expect(openOf(narrowed)).toEqual([
    '/recommendations',
    '/allocation',
    '/savings',
    '/changes',
    '/budgets',
    '/statements',
    '/clusters',
    '/settings',
  ])
  expect(mayOpen(narrowed, '/settings/prices')).toBe(false)
})

test('a role limited to teams opens only pages with cost by team', () => {
  expect(openOf({ ...admin, teams: ['red'] })).toEqual([
    '/allocation',
    '/changes',
    '/budgets',
    '/statements',
    '/settings',
  ])
})

test('a role limited to clusters cannot open pages about the whole fleet', () => {
  const narrowed = { ...admin, clusters: ['cls_1'] }
  expect(openOf(narrowed)).toEqual(menuPages.map(({ to }) => to))
  expect(
    ['/settings/users', '/settings/audit', '/clusters/new'].some((page) => mayOpen(narrowed, page as PagePath)),
  ).toBe(false)
})

test('a user without access to the overview starts at the first accessible page', () => {
  expect(firstPage({ ...viewer, namespaces: ['shop'] })).toBe('/recommendations')
  expect(firstPage({ permissions: [], ...fleet })).toBe('/settings')
  expect(firstPage(viewer)).toBe('/')
})
