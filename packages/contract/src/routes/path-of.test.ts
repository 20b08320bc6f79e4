import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { OperationRoute } from '../operations/operation.ts'
import { pathOf, routes } from './index.ts'

const all: readonly OperationRoute[] = Object.values(routes)
const namesIn = (route: string) => [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)

/** The values of the path parameters, read back from a path. */
function paramsIn(route: string, path: string): Record<string, string> {
  const parts = path.split('/')
  const pattern = route.slice(route.indexOf(' ') + 1).split('/')
  return Object.fromEntries(
    pattern.flatMap((part, at) => (part.startsWith(':') ? [[part.slice(1), decodeURIComponent(parts[at] ?? '')]] : [])),
  )
}

const ids = fc.string({ unit: 'binary', maxLength: 20 }).filter((id) => id.isWellFormed())

test('any ID arrives unchanged, and adds no segment, query or fragment to the path', () => {
  fc.assert(
    fc.property(fc.constantFrom(...all), fc.array(ids, { minLength: 3, maxLength: 3 }), (route, values) => {
      const params = Object.fromEntries(namesIn(route).map((name, at) => [name, values[at] ?? '']))
      const path = pathOf(route, params as never)
      expect(path.split('/')).toHaveLength(route.split('/').length)
      expect(path).not.toMatch(/[?#:\s]/)
      expect(paramsIn(route, path)).toEqual(params)
    }),
  )
})

test.each(all.filter((route) => namesIn(route).length === 0))('%s is its own path', (route) => {
  expect(`${route.split(' ')[0]} ${pathOf(route, {} as never)}`).toBe(route)
})

test('no route has a parameter twice', () => {
  for (const route of all) expect(new Set(namesIn(route)).size).toBe(namesIn(route).length)
})
