import type { OpenApi } from '../src/platform/http/openapi.ts'

type Schema = Record<string, unknown>

export type LargeBody = { name: string; body: string }

/**
 * Bodies of about so many bytes for an operation: those that a parser works hardest for, and for each field of its
 * schema the longest value of the right kind.
 */
export function largestBodies(api: OpenApi, schema: Schema, bytes: number): LargeBody[] {
  const known = resolved(api, schema)
  const fields = Object.entries((known.properties ?? {}) as Record<string, Schema>)
  const example = ((known.examples ?? []) as object[])[0] ?? {}
  const of = (name: string, value: unknown) => ({ name, body: JSON.stringify({ ...example, [name]: value }) })
  return [
    { name: 'many keys', body: `{${repeated((index) => `"k${index}":0`, bytes)}}` },
    { name: 'many numbers', body: `{"unknown":[${repeated(() => '0', bytes)}]}` },
    { name: 'many objects', body: `{"unknown":[${repeated(() => '{"a":{}}', bytes)}]}` },
    { name: 'backslashes', body: `{"unknown":"${'\\\\'.repeat(bytes / 2 - 20)}"}` },
    ...fields.flatMap(([name, field]) => largestValues(api, field, bytes).map((value) => of(name, value))),
  ]
}

function largestValues(api: OpenApi, schema: Schema, bytes: number): unknown[] {
  const known = resolved(api, schema)
  const types = [known.type].flat()
  if (types.includes('string')) return ['a', '-', '\u00e9', 'a: {b: [c, d]}\n'].map((text) => longText(text, bytes))
  if (types.includes('array')) return [longList(resolved(api, (known.items ?? {}) as Schema), bytes)]
  return []
}

/** Ends with a tab, which most fields refuse: an expression that goes back has to do so here. */
const longText = (text: string, bytes: number) =>
  text.repeat((bytes - 200) / Buffer.byteLength(JSON.stringify(text))) + '\t'

function longList({ type, enum: choices, properties = {} }: Schema, bytes: number): unknown[] {
  const item = (index: number): unknown => {
    if (Array.isArray(choices)) return choices[index % choices.length] as unknown
    if (type === 'object')
      return Object.fromEntries(Object.keys(properties as object).map((name) => [name, `x${index}`]))
    return type === 'string' ? `rec_${String(index).padStart(52, '0')}` : index
  }
  const count = Math.max(1, Math.floor((bytes - 200) / (Buffer.byteLength(JSON.stringify(item(1e6))) + 1)))
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
