import fc from 'fast-check'
import { Type, type TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import {
  ClusterId,
  Closed,
  Email,
  Name,
  NamespaceName,
  Nullable,
  pageQuery,
  Timestamp,
  VisibleLines,
  VisibleText,
} from './common.ts'

/** Compiled once: building a pattern of Unicode classes takes longer than a check. */
const compiled = new WeakMap<TSchema, Validator>()

function holds(schema: TSchema, value: unknown): boolean {
  const validator = compiled.get(schema) ?? Compile(schema)
  compiled.set(schema, validator)
  return validator.Check(value)
}

/** Characters that reorder or hide text, each with its code point. */
const invisible = ['\u0000', '\u0007', '\u001B', '\u007F', '\u0085', '\u200B', '\u2028', '\u2029', '\u202E', '\u2066', '\u00AD', '\uFEFF', '\u034F', '\u115F', '\u3164', '\uFFA0'] // prettier-ignore

describe('Name', () => {
  test.each(['a', 'prod eu', 'a'.repeat(100), 'Ünïcode', '東京', '👩‍💻', 'a-b_c.d/e', "O'Brien", '<b>'])(
    'accepts %j',
    (name) => expect(holds(Name, name)).toBe(true),
  )

  test.each(['', ' ', ' a', 'a ', '\ta', 'a\n', 'a'.repeat(101), 'a\u00A0'])('rejects %j', (name) => {
    expect(holds(Name, name)).toBe(false)
  })

  test.each(invisible)('rejects the invisible character %j anywhere', (character) => {
    for (const name of [character, `${character}a`, `a${character}b`, `a${character}`]) {
      expect(holds(Name, name)).toBe(false)
    }
  })

  test('accepts exactly printable ASCII text without blanks at either end', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120, unit: 'grapheme-ascii' }), (text) => {
        const isName = text.length >= 1 && text.length <= 100 && text === text.trim()
        expect(holds(Name, text)).toBe(isName)
      }),
    )
  })

  test('takes linear time for text that almost matches', () => {
    // A pattern with overlapping quantifiers would need longer than the test may take.
    expect(holds({ ...Name, maxLength: 1e6 }, `${'a '.repeat(100_000)}\u0000`)).toBe(false)
  })
})

describe('VisibleText and VisibleLines', () => {
  const line = VisibleText({ maxLength: 50 })
  const lines = VisibleLines({ maxLength: 50 })

  test('both accept blanks at either end and the empty text', () => {
    for (const text of ['', ' ', ' a ', 'a  b']) {
      expect(holds(line, text)).toBe(true)
      expect(holds(lines, text)).toBe(true)
    }
  })

  test('only VisibleLines accepts line breaks', () => {
    expect(holds(line, 'a\nb')).toBe(false)
    expect(holds(lines, 'a\nb')).toBe(true)
    expect(holds(lines, 'a\r\nb')).toBe(false)
  })

  test.each(invisible)('neither accepts %j', (character) => {
    expect(holds(line, `a${character}`)).toBe(false)
    expect(holds(lines, `a${character}`)).toBe(false)
  })

  test('VisibleLines accepts everything that VisibleText accepts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
        if (holds(line, text)) expect(holds(lines, text)).toBe(true)
      }),
    )
  })
})

describe('NamespaceName', () => {
  test.each(['a', '0', 'kube-system', 'a'.repeat(63), 'a--b'])('accepts %s', (name) => {
    expect(holds(NamespaceName, name)).toBe(true)
  })

  test.each(['', '-a', 'a-', 'A', 'a_b', 'a.b', 'a'.repeat(64), 'a\n', 'ä'])('rejects %j', (name) => {
    expect(holds(NamespaceName, name)).toBe(false)
  })

  test('follows the Kubernetes rule for DNS labels', () => {
    const character = fc.constantFrom(...'abz019-A._')
    fc.assert(
      fc.property(fc.string({ unit: character, maxLength: 66 }), (name) => {
        const isLabel =
          name.length > 0 &&
          name.length <= 63 &&
          [...name].every((each) => 'abz019-'.includes(each)) &&
          !name.startsWith('-') &&
          !name.endsWith('-')
        expect(holds(NamespaceName, name)).toBe(isLabel)
      }),
    )
  })
})

describe('ids, addresses and times', () => {
  test.each([
    [ClusterId(''), 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8', true],
    [ClusterId(''), 'cls_', false],
    [ClusterId(''), 'cls_ABC', false],
    [ClusterId(''), 'key_01k3v7m9q2x4t6b8n0d2f4h6j8', false],
    [ClusterId(''), `cls_${'a'.repeat(65)}`, false],
    [Email, 'ada@example.com', true],
    [Email, 'ada@', false],
    [Email, 'ada', false],
    [Timestamp, '2026-01-31T09:30:00Z', true],
    [Timestamp, '2026-01-31T09:30:00.123+02:00', true],
    [Timestamp, '2026-01-31', false],
    [Timestamp, '09:30', false],
    [Timestamp, '', false],
  ])('schema %# accepts %j: %s', (schema, value, isAccepted) => {
    expect(holds(schema, value)).toBe(isAccepted)
  })
})

describe('Nullable', () => {
  const Choice = Type.Unsafe<'a' | 'b'>({ type: 'string', enum: ['a', 'b'] })
  const Titled = Type.Object({ id: Type.String() }, { title: 'Titled' })

  test.each<[string, TSchema, unknown[], unknown[]]>([
    ['text', Type.String({ maxLength: 2 }), ['', 'ab'], ['abc', 5, {}]],
    ['whole numbers', Type.Integer({ minimum: 1 }), [1, 7], [0, 1.5, '1']],
    ['choices', Choice, ['a', 'b'], ['c', '']],
    ['lists', Type.Array(Type.String()), [[], ['a']], [[5], 'a']],
    ['objects with a title', Titled, [{ id: 'x' }], [{}, 'x']],
  ])('adds null to %s and changes nothing else', (_name, schema, accepted, refused) => {
    const nullable = Nullable(schema)
    expect(holds(schema, null)).toBe(false)
    expect(holds(nullable, null)).toBe(true)
    for (const value of accepted) expect(holds(nullable, value)).toBe(true)
    for (const value of refused) expect(holds(nullable, value)).toBe(false)
  })

  test('is one schema with two types if the schema has no title', () => {
    expect(Nullable(Type.String(), 'About it')).toMatchObject({ type: ['string', 'null'], description: 'About it' })
    expect(Nullable(Choice)).toMatchObject({ enum: ['a', 'b', null] })
    expect(Nullable(Titled)).toHaveProperty('anyOf')
  })
})

describe('Closed', () => {
  const schema = Closed({ name: Type.String(), size: Type.Optional(Type.Integer()) }, { minProperties: 1 })

  test('rejects unknown fields with any value', () => {
    fc.assert(
      fc.property(fc.string(), fc.jsonValue(), (field, value) => {
        fc.pre(!['name', 'size'].includes(field))
        expect(
          holds(
            schema,
            Object.fromEntries([
              ['name', 'x'],
              [field, value],
            ]),
          ),
        ).toBe(false)
      }),
    )
  })

  test('passes on the options of the caller', () => {
    expect(schema).toMatchObject({ minProperties: 1, additionalProperties: false })
  })
})

describe('pageQuery', () => {
  const query = Closed(pageQuery(500, 100))

  test.each([{}, { limit: 1 }, { limit: 500 }, { cursor: 'abc' }, { limit: 7, cursor: 'a'.repeat(2048) }])(
    'accepts %j',
    (value) => expect(holds(query, value)).toBe(true),
  )

  test.each([{ limit: 0 }, { limit: 501 }, { limit: 1.5 }, { limit: '5' }, { cursor: '' }, { offset: 5 }])(
    'rejects %j',
    (value) => expect(holds(query, value)).toBe(false),
  )

  test('documents the default', () => {
    expect(query.properties.limit).toMatchObject({ default: 100, maximum: 500 })
  })
})
