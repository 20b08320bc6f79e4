import { operations } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { readCommands } from './add-read-commands.ts'
import { queryOptions } from './query-options.ts'

/** `-o csv` replaces the format of the response. */
const notOffered = ['format']

test.each(readCommands.map((each) => [each.words, each] as const))('%s offers every parameter', (_words, each) => {
  const { route, ...operation } = operations[each.operation]
  const { query, params } = operation as { query?: { properties: object }; params?: { properties: object } }
  const inQuery = Object.keys(query?.properties ?? {}).filter((name) => !notOffered.includes(name))
  const inPath = Object.keys(params?.properties ?? {}).filter((name) => name !== 'cluster_id')
  expect(route).toMatch(/^GET /)
  expect([...each.query, ...each.args].sort()).toEqual([...inQuery, ...inPath].sort())
})

test('every parameter has a help text, and no text is left over', () => {
  const used = new Set([...readCommands.flatMap(({ query, args }) => [...query, ...args]), 'cluster_id'])
  used.delete('id')
  expect(Object.keys(queryOptions).sort()).toEqual([...used].sort())
})

test('no two commands have the same words', () => {
  const words = readCommands.map((each) => each.words)
  expect(new Set(words).size).toBe(words.length)
})
