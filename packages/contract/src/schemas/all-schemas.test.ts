import { readdirSync } from 'node:fs'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import * as contract from '../index.ts'

type Described = TSchema & { title?: string; examples?: unknown[]; additionalProperties?: unknown }

const isSchema = (value: unknown): value is Described =>
  typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value) && '~kind' in value

/** Includes the schemas that only operations use, which the index does not export. */
const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
const modules = await Promise.all(files.map((file) => import(`./${file}`) as Promise<Record<string, unknown>>))
const exported = new Map<string, unknown>([contract, ...modules].flatMap((module) => Object.entries(module)))

const schemas = [...exported].flatMap(([name, value]) => (isSchema(value) ? [{ name, schema: value }] : []))
const withExamples = schemas.filter(({ schema }) => Array.isArray(schema.examples))
/** Responses of the service and of identity providers may have further fields. */
const open = ['ProblemBody', 'FinishOidcQuery']
const closed = schemas.filter(({ name }) => /(Body|Query)$/.test(name) && !open.includes(name))

test('the contract exports its schemas', () => {
  expect(schemas.length).toBeGreaterThan(80)
  expect(withExamples.length).toBeGreaterThan(15)
  expect(closed.length).toBeGreaterThan(35)
})

test.each(withExamples)('each example of $name satisfies $name', ({ schema }) => {
  for (const example of schema.examples ?? []) expect([...Value.Errors(schema, example)]).toEqual([])
})

test.each(closed)('$name rejects unknown fields', ({ schema }) => {
  expect(schema.additionalProperties).toBe(false)
})

test.each(closed.filter(({ name }) => name.endsWith('Query')))(
  '$name accepts no parameters or names one',
  ({ schema }) => {
    const required = (schema as { required?: string[] }).required ?? []
    expect(Value.Check(schema, {})).toBe(required.length === 0)
  },
)

test('two schemas with the same title are the same schema', () => {
  const byTitle = new Map<string, Set<string>>()
  for (const { schema } of schemas) {
    if (schema.title === undefined) continue
    const known = byTitle.get(schema.title) ?? new Set()
    byTitle.set(schema.title, known.add(JSON.stringify(schema)))
  }
  expect([...byTitle].filter(([, variants]) => variants.size > 1).map(([title]) => title)).toEqual([])
})
