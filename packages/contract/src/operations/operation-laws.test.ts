import fc from 'fast-check'
import { Value } from 'typebox/value'
import type { TSchema } from 'typebox'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../../test/rounds.ts'
import { objectsIn, withoutRequired, withUnknownField, withWrongType } from '../../test/schema-changes.ts'
import { valuesOf, type JsonSchema } from '../../test/schema-values.ts'
import { permissions } from '../permissions.ts'
import { operations } from './index.ts'
import type { Operation } from './operation.ts'

const all: readonly Operation[] = Object.values(operations)
const runs = lawRuns(8)

const jsonOf = (schema: TSchema) => schema as JsonSchema

/** Schemas of one part of all operations. The body of a batch is compressed, so its schema has no JSON type. */
const partsOf = (part: 'body' | 'query') =>
  all.flatMap((each) => {
    const schema = each[part]
    return schema && jsonOf(schema).type !== undefined ? [{ name: each.name, schema }] : []
  })

const responses = all.flatMap(({ name, response = {} }) =>
  Object.entries(response).map(([status, schema]) => ({ name, status: Number(status), schema })),
)
const contents = responses.filter(({ schema }) => jsonOf(schema).type !== 'null')

describe('texts and access', () => {
  test.each(all)('$name names its section and begins its summary with a verb', ({ tag, summary, description }) => {
    expect(tag).toMatch(/^[A-Z]/)
    expect(summary).toMatch(/^[A-Z][a-z]+( |,|$)/)
    expect(summary).not.toMatch(/[.!]$/)
    expect(summary.length).toBeLessThanOrEqual(100)
    if (description !== undefined) expect(description).toMatch(/^[A-Z`][^]*[.`)]$/)
  })

  test.each(all)('$name has an access that the gate supports', ({ access }) => {
    expect([...['anonymous', 'person', 'caller', 'metrics:submit'], ...permissions]).toContain(access)
  })

  test.each(all)('$name reads with GET, and only writes have a body', ({ route, body }) => {
    if (/^(GET|DELETE) /.test(route)) expect(body).toBeUndefined()
  })

  // The paths below /model are those of OpenCost.
  const ours = all.filter(({ tag }) => tag !== 'OpenCost')
  test.each(ours)('the path of $name is lower case, without a slash at its end', ({ route }) => {
    const [, path = ''] = route.split(' ')
    for (const part of path.split('/').slice(1)) expect(part).toMatch(/^(:[a-z]+(_[a-z]+)*|[a-z0-9]+(-[a-z0-9]+)*)$/)
  })

  test.each(all)('$name answers with a success or not modified', ({ response = {} }) => {
    for (const status of Object.keys(response)) expect([200, 201, 202, 204, 304]).toContain(Number(status))
  })

  test('an operation without a content has the status 204 or 304', () => {
    for (const { name, status, schema } of responses) {
      expect([name, jsonOf(schema).type === 'null']).toEqual([name, status === 204 || status === 304])
    }
  })
})

describe.each([
  ['bodies', partsOf('body')],
  ['queries', partsOf('query')],
])('%s', (_part, schemas) => {
  test.each(schemas)('of $name: any value that fits the schema is accepted', ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(jsonOf(schema)), (value) => {
        expect([...Value.Errors(schema, value)]).toEqual([])
      }),
      runs,
    )
  })

  // Identity providers send further parameters to the callback.
  const closed = schemas.filter(({ name }) => name !== 'finishOidc')
  test.each(closed)('of $name: an unknown field is rejected', ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(jsonOf(schema)), (value) => {
        const [whole] = objectsIn(jsonOf(schema), value)
        expect(whole && Value.Check(schema, withUnknownField(whole))).toBe(false)
      }),
      runs,
    )
  })

  test.each(schemas)('of $name: a missing field and a wrong type are rejected', ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(jsonOf(schema)), (value) => {
        for (const part of objectsIn(jsonOf(schema), value)) {
          for (const { field, changed } of [...withoutRequired(part), ...withWrongType(part)]) {
            expect([part.path, field, Value.Check(schema, changed)]).toEqual([part.path, field, false])
          }
        }
      }),
      runs,
    )
  })
})

describe('responses', () => {
  test.each(contents)('$status of $name: any value that fits the schema survives JSON', ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(jsonOf(schema)), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value))
        expect(parsed).toEqual(value)
        expect([...Value.Errors(schema, parsed)]).toEqual([])
      }),
      runs,
    )
  })

  test.each(contents)('$status of $name: a missing field is a violation', ({ schema }) => {
    fc.assert(
      fc.property(valuesOf(jsonOf(schema)), fc.nat(), (value, choice) => {
        const missing = objectsIn(jsonOf(schema), value).flatMap((part) =>
          withoutRequired(part).map((each) => ({ ...each, path: part.path })),
        )
        if (missing.length === 0) return
        const { path, field, changed } = missing[choice % missing.length] ?? {}
        expect([path, field, Value.Check(schema, changed)]).toEqual([path, field, false])
      }),
      runs,
    )
  })

  test.each(contents)('$status of $name: field names are snake_case', ({ schema }) => {
    for (const name of fieldNamesIn(jsonOf(schema))) expect(name).toMatch(/^[a-z0-9]+(_[a-z0-9]+)*$/)
  })

  test('a list with a cursor has both fields of a page', () => {
    for (const { name, schema } of contents) {
      const { properties = {} } = jsonOf(schema)
      expect([name, 'next_cursor' in properties]).toEqual([name, 'has_more' in properties])
    }
  })
})

function fieldNamesIn({ properties = {}, items, anyOf = [] }: JsonSchema): string[] {
  const own = Object.entries(properties)
  const inner = [...own.map(([, field]) => field), ...anyOf, ...(items ? [items] : [])]
  return [...own.map(([name]) => name), ...inner.flatMap(fieldNamesIn)]
}
