import fc, { type Arbitrary } from 'fast-check'

export type Schema = Record<string, unknown>
type Schemas = Record<string, Schema>

/**
 * Values that a JSON schema accepts, as far as our documents use it; `pattern` is supported for known patterns only.
 */
export function fromSchema(schema: Schema, named: Schemas): Arbitrary<unknown> {
  if (typeof schema.$ref === 'string') return fromSchema(named[schema.$ref.split('/').at(-1) ?? ''] ?? {}, named)
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...(schema.enum as unknown[]))
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.anyOf)) return fc.oneof(...(schema.anyOf as Schema[]).map((each) => fromSchema(each, named)))
  if (Array.isArray(schema.type))
    return fc.oneof(...(schema.type as string[]).map((type) => fromSchema({ ...schema, type }, named)))
  switch (schema.type) {
    case 'object':
      return fromObject(schema, named)
    case 'array':
      return fromArray(schema, named)
    case 'string':
      return fromString(schema)
    case 'integer':
      return fc.integer({ min: bound(schema.minimum, -5), max: bound(schema.maximum, 1e6) })
    case 'number':
      return fc.double({ min: bound(schema.minimum, -1e9), max: bound(schema.maximum, 1e9), noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    default:
      return fc.jsonValue()
  }
}

const bound = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

/** One in ten has an additional field or one of the wrong type. */
function fromObject({ properties = {}, required = [] }: Schema, named: Schemas): Arbitrary<unknown> {
  const fields = Object.entries(properties as Schemas).map(([name, field]) => [name, fromSchema(field, named)] as const)
  const right = fc.record(Object.fromEntries(fields), { requiredKeys: required as string[] })
  const names = [...fields.map(([name]) => name), '__proto__', 'constructor', 'extra']
  const wrong = fc
    .tuple(right, fc.constantFrom(...names), fc.jsonValue())
    .map(([value, name, other]) => Object.defineProperty({ ...value }, name, { value: other, enumerable: true }))
  return fc.oneof({ weight: 9, arbitrary: right }, { weight: 1, arbitrary: wrong })
}

function fromArray(schema: Schema, named: Schemas): Arbitrary<unknown> {
  const item = fromSchema((schema.items ?? {}) as Schema, named)
  const size = { minLength: bound(schema.minItems, 0), maxLength: Math.min(bound(schema.maxItems, 5), 5) }
  return schema.uniqueItems === true ? fc.uniqueArray(item, size) : fc.array(item, size)
}

// Built once: parsing the expression takes longer than a request.
const plain = fc.stringMatching(/^[a-z][a-z0-9-]{8,20}[a-z0-9]$/)

function fromString(schema: Schema): Arbitrary<string> {
  const size = { minLength: bound(schema.minLength, 0), maxLength: Math.min(bound(schema.maxLength, 40), 40) }
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString())
  return fc.oneof(
    { weight: 8, arbitrary: plain },
    fc.string({ unit: 'grapheme', ...size }),
    fc.string({ unit: 'binary', ...size }),
  )
}
