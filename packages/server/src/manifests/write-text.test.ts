import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeYaml } from './write-text.ts'

const versions = ['1.1', '1.2'] as const

/** As parsers of both YAML versions read it. */
const readBack = (text: string) => versions.map((version) => parse(text, { version }) as unknown)

describe('text in YAML', () => {
  const traps =
    'y N yes NO on Off true FALSE null Null ~ = .inf -.Inf .NaN 1e3 e1 E10 e-1 e+1 -e1 .e2 +.e3 0x1F 0o7 1_000 12:30 2026-01-01 - ? : #'

  test.each([
    ...traps.split(' '),
    '',
    '250m',
    '.5',
    '- a',
    'a: b',
    'a #b',
    'two\nlines\n',
    ' a',
    "it's",
    '"',
    '{}',
    '*a',
  ])('%j stays text for YAML 1.1 and 1.2, as a key and as a value', (text) => {
    const value = { [text]: [text, { nested: text }] }
    expect(readBack(writeYaml(value))).toEqual([value, value])
  })

  test('stays unchanged for any content', () => {
    const word = fc.stringMatching(/^[-a-zA-Z0-9_./]{1,8}$/)
    fc.assert(
      fc.property(fc.oneof(word, fc.string()), (text) => {
        const value = { key: text }
        expect(readBack(writeYaml(value))).toEqual([value, value])
      }),
    )
  })

  test('is quoted if it is a quantity, and plain if it is a name', () => {
    const value = { apiVersion: 'apps/v1', name: 'web.my-shop', cpu: '250m', on: 'no', parent: 'none' }
    expect(writeYaml(value, ['Why.'])).toBe(
      '# Why.\n\napiVersion: apps/v1\nname: web.my-shop\ncpu: "250m"\n"on": "no"\nparent: none\n',
    )
  })
})
