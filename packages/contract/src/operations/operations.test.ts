import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routeAccess } from '../access.ts'
import { usedPermissions, permissions } from '../permissions.ts'
import { pathOf, routes } from '../routes/index.ts'
import { operations } from './index.ts'

const all = Object.values(operations)

/** The exported names of the files in this directory. */
const defined = readdirSync(import.meta.dirname)
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(`${import.meta.dirname}/${file}`, 'utf8'))
  .flatMap((text) => [...text.matchAll(/^ {2}(\w+): operation\($/gm), ...text.matchAll(/^ {2}(\w+): operation\('/gm)])
  .map(([, name]) => name)

test('every operation of every file is listed once, under its name', () => {
  expect(all.map(({ name }) => name).sort()).toEqual(defined.sort())
  expect(Object.keys(operations)).toEqual(all.map(({ name }) => name))
})

test('no two operations share a route', () => {
  expect(new Set(all.map(({ route }) => route)).size).toBe(all.length)
})

test('the table of the client has the route of each operation', () => {
  expect(routes).toEqual(Object.fromEntries(all.map(({ name, route }) => [name, route])))
})

test('the access table has the access of each operation', () => {
  for (const { route, access } of all) expect(routeAccess).toHaveProperty([route], access)
})

test('a permission counts as required exactly if an operation or a handler requires it', () => {
  const byHandlers = ['api_keys:read', 'api_keys:write']
  const needed = new Set<string>([...byHandlers, ...Object.values(routeAccess)])
  expect(usedPermissions).toEqual(permissions.filter((each) => needed.has(each)).sort())
})

test('every path parameter has a schema, and every schema has a path parameter', () => {
  for (const { route, ...parts } of all) {
    const inPath = [...route.matchAll(/:(\w+)/g)].map(([, name]) => name)
    const inSchema = 'params' in parts ? Object.keys(parts.params.properties) : []
    expect([route, inSchema]).toEqual([route, inPath])
  }
})

test('ids with special characters are encoded in a path', () => {
  const params = { cluster_id: 'a/b', token_id: '?c d' }
  expect(pathOf(routes.revokeAgentToken, params)).toBe('/api/v1/clusters/a%2Fb/agent-tokens/%3Fc%20d')
})
