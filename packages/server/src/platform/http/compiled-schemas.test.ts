import { operations, type Operation } from '@plimsoll/contract'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import { expect, test } from 'vitest'
import { compileValidator } from './validation.ts'

const all: Operation[] = Object.values(operations)
const parts = { params: 'params', query: 'querystring', headers: 'headers', body: 'body' } as const
const inputs = all.flatMap((operation) =>
  Object.entries(parts).flatMap(([part, httpPart]) => {
    const schema = operation[part as keyof typeof parts]
    return schema ? [{ route: operation.route, httpPart, schema }] : []
  }),
)

/** The service compiles a schema at its first request, so an error in a schema would not stop the start. */
test.each(inputs)('the schema of $httpPart of $route compiles', ({ route, httpPart, schema }) => {
  const validate = compileValidator({ schema, httpPart, method: 'GET', url: route }) as (data: unknown) => object
  expect(Object.keys(validate({}))).toHaveLength(1)
})

test('the schemas of all responses compile', () => {
  const schemas = all.flatMap(({ response }) => Object.values(response ?? {}))
  expect(schemas.length).toBeGreaterThan(all.length / 2)
  for (const schema of schemas) expect(() => fastJsonStringify(schema as Schema)).not.toThrow()
})
