import { expect, test } from 'vitest'
import { pageRouteAccess } from './access.ts'
import { dashboardPages } from './dashboard-pages.ts'
import { routes } from './routes/index.ts'

/** Two pages with the same shape would match the same URL. */
const shapeOf = (path: string) => path.replaceAll(/:\w+/g, ':id')

test.each(dashboardPages)('the path of page %s is lower case, without a slash at its end', (path) => {
  expect(path).toMatch(/^\/$|^(\/(:[a-z]+(_[a-z]+)*|[a-z]+(-[a-z]+)*))+$/)
})

test('no two pages match the same URL', () => {
  expect(new Set(dashboardPages.map(shapeOf)).size).toBe(dashboardPages.length)
})

test('no page hides an operation of the API', () => {
  const paths = new Set(Object.values(routes).map((route) => shapeOf(route.slice(route.indexOf(' ') + 1))))
  expect(dashboardPages.filter((path) => paths.has(shapeOf(path)))).toEqual([])
  expect(dashboardPages.filter((path) => /^\/(api|auth|install)(\/|$)/.test(path))).toEqual([])
})

test('every page is public: its document contains no data', () => {
  for (const path of dashboardPages) expect(pageRouteAccess).toHaveProperty([`GET ${path}`], 'free')
})
