import fc, { type Arbitrary } from 'fast-check'

/** The keywords that schemas of the contract use. */
export type JsonSchema = {
  type?: string | readonly string[]
  anyOf?: readonly JsonSchema[]
  const?: unknown
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, JsonSchema>>
  required?: readonly string[]
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Readonly<Record<string, JsonSchema>>
  propertyNames?: JsonSchema
  minProperties?: number
  items?: JsonSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
}

/** Texts of every form that a pattern or format of the contract requires. A new form needs a new text. */
const texts = [
  ...['', 'a', 'shop', 'kube-system', 'ada@example.com', 'Кластер', 'two words', 'two\nlines'],
  ...['0', '1', '12', '0/1', '123456789012345', '2026', '2026-10', '2026-Q4', '2026-10-31', '23:59'],
  ...['cls_01k3v7m9q2x4t6b8n0d2f4h6j8', 'bud_01k3v7m9q2x4t6b8n0d2f4h6j8', 'all'],
  ...['0d5a7b1e-4207-4d0b-9c1e-6f1c9a525f0e', '2026-01-31T09:30:00Z', '2026-01-31T09:30:00.123Z'],
  ...['https://hooks.example.com/1', 'http://10.0.0.1:9093', 'R0ut1ngK3yR0ut1ngK3yR0ut1ngK3y12'],
  ...['shop/Deployment/web', 'shop/Deployment/web,shop/CronJob/nightly', 'team=payments', 'cpu', 'cpu,memory'],
  ...[
    'gzip',
    `sha-256=:${'A'.repeat(43)}=:`,
    'web.resources',
    './deploy/production',
    '/savings',
    'long enough for a password',
  ],
]

/** Any value that the schema accepts. Lists stay short: a law holds for each entry alike. */
export function valuesOf(schema: JsonSchema): Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(valuesOf))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.type === undefined) return fc.constantFrom<unknown>(null, 1, 'a', { a: [1] })
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  return fc.oneof(...types.map((type) => valuesOfType(type, schema)))
}

function valuesOfType(type: string, schema: JsonSchema): Arbitrary<unknown> {
  const make = byType[type]
  if (!make) throw new Error(`no values for the type ${type}`)
  return make(schema)
}

const byType: Readonly<Record<string, (schema: JsonSchema) => Arbitrary<unknown>>> = {
  null: () => fc.constant(null),
  boolean: () => fc.boolean(),
  integer: ({ minimum = -1000, maximum = 1000 }) => fc.integer({ min: minimum, max: Math.max(minimum, maximum) }),
  number: ({ minimum, exclusiveMinimum, maximum }) =>
    fc.integer({ min: minimum ?? (exclusiveMinimum ?? -1001) + 1, max: maximum ?? 1000 }),
  string: (schema) => fc.constantFrom(...textsOf(schema)),
  array: arrays,
  object: objects,
}

function arrays({ items = {}, minItems = 0, maxItems = 2, uniqueItems = false }: JsonSchema): Arbitrary<unknown[]> {
  const lengths = { minLength: minItems, maxLength: Math.max(minItems, Math.min(2, maxItems)) }
  return uniqueItems
    ? fc.uniqueArray(valuesOf(items), { ...lengths, selector: (each) => JSON.stringify(each) })
    : fc.array(valuesOf(items), lengths)
}

function objects(schema: JsonSchema): Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, patternProperties, propertyNames } = schema
  const [entry] = Object.values(patternProperties ?? {})
  const values = entry ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  if (values) {
    const names = textsOf({ ...propertyNames, minLength: 1 })
    return fc.dictionary(fc.constantFrom(...names), valuesOf(values), {
      ...{ minKeys: schema.minProperties ?? 0, maxKeys: Math.max(1, schema.minProperties ?? 0), noNullPrototype: true },
    })
  }
  const fields = Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, valuesOf(field)]))
  const record = fc.record(fields, { requiredKeys: [...required], noNullPrototype: true })
  return record.filter((each) => Object.keys(each).length >= (schema.minProperties ?? 0))
}

const formats: Readonly<Record<string, RegExp>> = {
  'date-time': /^\d{4}-\d\d-\d\dT.*Z$/,
  date: /^\d{4}-\d\d-\d\d$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
}

function textsOf({ pattern, format, minLength = 0, maxLength = Infinity }: JsonSchema): string[] {
  const form = pattern === undefined ? /(?:)/ : new RegExp(pattern, 'u')
  const known = format === undefined ? /(?:)/ : formats[format]
  if (!known) throw new Error(`no texts for the format ${format}`)
  const found = texts.filter((text) => form.test(text) && known.test(text))
  const fitting = found.filter((text) => text.length >= minLength && text.length <= maxLength)
  if (fitting.length === 0) throw new Error(`no text of the pattern ${pattern} or the format ${format}`)
  return fitting
}
