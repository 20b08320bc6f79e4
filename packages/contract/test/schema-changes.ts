import type { JsonSchema } from './schema-values.ts'

/** One object inside a value, with the schema that it satisfies. `put` returns the whole value with another object. */
export type ObjectPart = {
  readonly path: string
  readonly schema: JsonSchema
  readonly value: Readonly<Record<string, unknown>>
  readonly put: (value: unknown) => unknown
}

/** The objects in a value. Parts below `anyOf` are not listed, because another branch might accept the change. */
export function objectsIn(schema: JsonSchema, value: unknown, path = '', put = (each: unknown) => each): ObjectPart[] {
  if (schema.anyOf || value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) {
    const { items = {} } = schema
    return value.flatMap((each: unknown, at) =>
      objectsIn(items, each, `${path}/${at}`, (next) => put(value.with(at, next) as unknown)),
    )
  }
  const own = value as Record<string, unknown>
  const parts = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    name in own ? objectsIn(field, own[name], `${path}/${name}`, (next) => put({ ...own, [name]: next })) : [],
  )
  return [{ path, schema, value: own, put }, ...parts]
}

/** The value without one required field, once for each required field. */
export const withoutRequired = ({ schema, value, put }: ObjectPart): { field: string; changed: unknown }[] =>
  (schema.required ?? []).map((field) => {
    const { [field]: _dropped, ...rest } = value
    return { field, changed: put(rest) }
  })

/** The value with a function in the place of one field, once for each field: no JSON type accepts a function. */
export const withWrongType = ({ schema, value, put }: ObjectPart): { field: string; changed: unknown }[] =>
  Object.entries(schema.properties ?? {}).flatMap(([field, { type, anyOf }]) =>
    field in value && (type !== undefined || anyOf !== undefined)
      ? [{ field, changed: put({ ...value, [field]: () => undefined }) }]
      : [],
  )

export const withUnknownField = ({ value, put }: ObjectPart): unknown => put({ ...value, colour_of_the_sea: 'blue' })
