import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matchingEntries, pickEntries } from './pick-entries.ts'

const named = (...words: string[]) => words.map((word) => ({ word }))
const wordsOf = (entries: readonly { word: string }[]) => entries.map(({ word }) => word)

test('every word of the text must occur, in any order and case', () => {
  const entries = named('Settings: Price overrides', 'Settings: Users', 'Savings')
  expect(wordsOf(pickEntries(entries, 'price settings'))).toEqual(['Settings: Price overrides'])
  expect(wordsOf(pickEntries(entries, 'settings'))).toEqual(['Settings: Price overrides', 'Settings: Users'])
})

test('entries that begin with the text come first; the others keep their order', () => {
  expect(wordsOf(pickEntries(named('shop/web', 'data/web-api', 'web', 'web-admin'), 'web'))).toEqual([
    'web',
    'web-admin',
    'shop/web',
    'data/web-api',
  ])
})

test('without a text, the first entries are shown', () => {
  expect(wordsOf(pickEntries(named('a', 'b', 'c'), '', 2))).toEqual(['a', 'b'])
})

test('each shown entry matches, and no matching entry is hidden while there is space', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'C', '-'), maxLength: 4 })
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), word, fc.integer({ min: 1, max: 8 }), (words, text, max) => {
      const wanted = text.toLowerCase()
      const matching = words.filter((each) => each.toLowerCase().includes(wanted))
      const picked = wordsOf(pickEntries(named(...words), wanted, max))
      expect(picked).toHaveLength(Math.min(max, matching.length))
      for (const each of picked) expect(each.toLowerCase()).toContain(wanted)
    }),
  )
})

test('results of the service keep their order', () => {
  expect(wordsOf(matchingEntries(named('shop/web', 'web-tools/axb', 'data/api'), 'web'))).toEqual([
    'shop/web',
    'web-tools/axb',
  ])
})
