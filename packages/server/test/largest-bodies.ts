import { bodyBytesMax, jsonKeysMax } from '@plimsoll/contract'
import type { OpenApi } from '../src/platform/http/openapi.ts'

type Schema = Record<string, unknown>

export type LargeBody = { name: string; body: string }

/**
 * Bodies of about this many bytes for an operation: the bodies that are most expensive to parse, and for each field
 * of its schema the longest value of the right type. Each body has the maximum number of keys: with one more key it
 * is not parsed.
 */
export function largestBodies(api: OpenApi, schema: Schema, bytes: number): LargeBody[] {
  const known = resolved(api, schema)
  const fields = Object.entries((known.properties ?? {}) as Record<string, Schema>)
  const example = ((known.examples ?? []) as object[])[0] ?? {}
  const of = (name: string, value: unknown) => ({ name, body: JSON.stringify({ ...example, [name]: value }) })
  return [
    { name: 'many keys', body: JSON.stringify(manyKeys(bytes)) },
    { name: 'many numbers', body: `{"unknown":[${repeated(() => '0', bytes)}]}` },
    { name: 'many objects', body: JSON.stringify({ unknown: manyObjects(bytes) }) },
    { name: 'backslashes', body: `{"unknown":"${'\\\\'.repeat(bytes / 2 - 20)}"}` },
    ...fields.flatMap(([name, field]) => largestValues(api, field, bytes).map((value) => of(name, value))),
  ]
}

const keysMax = (bytes: number) => Math.floor(jsonKeysMax * Math.min(1, bytes / bodyBytesMax))

function manyKeys(bytes: number): object {
  const count = keysMax(bytes)
  const length = Math.floor((bytes - 20) / count) - '"":0,'.length
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [String(index).padEnd(length, 'k'), 0]))
}

/** Nested in pairs, and one key fewer for the field that holds the objects. */
function manyObjects(bytes: number): object[] {
  const count = Math.floor((keysMax(bytes) - 1) / 2)
  const length = Math.floor((bytes - 20) / count) - '{"a":{"b":""}},'.length
  return Array.from({ length: count }, () => ({ a: { b: 'b'.repeat(length) } }))
}

function largestValues(api: OpenApi, schema: Schema, bytes: number): unknown[] {
  const known = resolved(api, schema)
  const types = [known.type].flat()
  if (types.includes('string')) return ['a', '-', '\u00e9', 'a: {b: [c, d]}\n'].map((text) => longText(text, bytes))
  if (types.includes('array')) return [longList(resolved(api, (known.items ?? {}) as Schema), bytes)]
  return []
}

/** Ends with a tab, which most fields reject: a backtracking expression has to backtrack here. */
const longText = (text: string, bytes: number) =>
  text.repeat((bytes - 200) / Buffer.byteLength(JSON.stringify(text))) + '\t'

function longList({ type, enum: choices, properties = {} }: Schema, bytes: number): unknown[] {
  const item = (index: number): unknown => {
    if (Array.isArray(choices)) return choices[index % choices.length] as unknown
    if (type === 'object')
      return Object.fromEntries(Object.keys(properties as object).map((name) => [name, `x${index}`]))
    return type === 'string' ? `rec_${String(index).padStart(52, '0')}` : index
  }
  const largest: unknown[] = Array.isArray(choices) ? choices : [item(1e6)]
  const itemBytes = Math.max(...largest.map((each) => Buffer.byteLength(JSON.stringify(each)))) + 1
  const fitting = Math.floor((bytes - 200) / itemBytes)
  const keys = type === 'object' ? Object.keys(properties as object).length : 0
  // The example of the operation has keys too.
  const count = Math.max(1, keys === 0 ? fitting : Math.min(fitting, Math.floor((keysMax(bytes) - 50) / keys)))
  return Array.from({ length: count }, (_, index) => item(index))
}

function resolved(api: OpenApi, schema: Schema): Schema {
  const { $ref: reference } = schema
  if (typeof reference !== 'string') return schema
  return api.components.schemas[reference.split('/').at(-1) ?? ''] ?? {}
}

function repeated(item: (index: number) => string, bytes: number): string {
  const items: string[] = []
  for (let length = 20; length < bytes - 20; length += (items.at(-1)?.length ?? 0) + 1) items.push(item(items.length))
  return items.join(',')
}
