import { jsonKeysMax } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseJson } from './json-text.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

test('JSON.stringify output is parsed unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
      const text = JSON.stringify(value)
      if (!/\\u0000|\0/.test(text)) expect(parse(text)).toEqual(JSON.parse(text))
    }),
    { seed: 1 },
  )
})

test.each([
  ['{"a":1,"a":2}', 'The key "a" appears twice in one object.'],
  ['{"a":1, "\\u0061" : 2}', 'The key "\\u0061" appears twice in one object.'],
  ['{"x":[{"a":{},"b":1,"a":[]}]}', 'The key "a" appears twice in one object.'],
  ['{"__proto__":1,"__proto__":2}', 'The key "__proto__" appears twice in one object.'],
])('%s is rejected for its duplicate key', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test.each([
  '{"a":{"a":{"a":1}}}',
  '[{"a":1},{"a":2}]',
  '{"a":"a","b":"a"}',
  '{"a":"\\"a\\":1","b":"\\\\","c":"{["}',
  '["a","a"]',
])('%s has no duplicate key', (text) => {
  expect(parse(text)).toEqual(JSON.parse(text))
})

test('32 levels are accepted, 33 are not', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  expect(parse(nested(32))).toEqual(JSON.parse(nested(32)))
  expect(() => parse(nested(33))).toThrow('The body is nested more than 32 levels deep.')
  expect(() => parse(nested(100_000))).toThrow('The body is nested more than 32 levels deep.')
})

test.each([
  ['{"a":"x\\u0000"}', 'The text at /a contains a NUL character'],
  ['{"a":["\\ud800"]}', 'The text at /a/0 contains a NUL character or an unpaired surrogate.'],
  ['{"a~/\\udc00":1}', 'contains a NUL character or an unpaired surrogate'],
])('%s is rejected: no database can store it', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test('a complete surrogate pair is a character', () => {
  expect(parse('"\\ud83d\\ude80"')).toBe('🚀')
})

test.each([
  [Buffer.from([0x22, 0xff, 0x22]), 'The body is not UTF-8.'],
  [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'The body is not UTF-8.'],
  [Buffer.from('"x"', 'utf16le'), 'The body is not JSON'],
  [Buffer.from('{"a":1'), 'The body is not JSON'],
  [Buffer.from('{"password":hunter2}'), /^The body is not JSON: Unexpected token 'h'\.$/],
  [Buffer.from('{a:1}'), 'The body is not JSON'],
  [Buffer.from('1 2'), 'The body is not JSON'],
  [Buffer.from('NaN'), 'The body is not JSON'],
])('%s is rejected', (bytes, message) => {
  expect(() => parseJson(bytes)).toThrow(message)
})

test('a text of a million characters is accepted', () => {
  const long = `${'\\"x\\\\'.repeat(100_000)}${'y'.repeat(500_000)}`
  expect(parse(`{"a":"${long}"}`)).toEqual(JSON.parse(`{"a":"${long}"}`))
})

test('a body with too many keys is rejected, and text with as many colons is not', () => {
  const keysOf = (count: number) => `{${Array.from({ length: count }, (_, index) => `"k${index}" :0`).join(',')}}`
  expect(Object.keys(parse(keysOf(jsonKeysMax)) as object)).toHaveLength(jsonKeysMax)
  expect(() => parse(keysOf(jsonKeysMax + 1))).toThrow(`The body has more than ${jsonKeysMax} keys.`)
  const yaml = JSON.stringify({ rendered: '"a": 1\n'.repeat(2 * jsonKeysMax) })
  expect(parse(yaml)).toEqual(JSON.parse(yaml))
})
