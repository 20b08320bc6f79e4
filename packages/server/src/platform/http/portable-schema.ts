type Schema = Record<string, unknown>

/**
 * Look-around, Unicode classes and `\u` escapes: RE2 (Go), the regex crate (Rust, pydantic) and Python reject some of
 * these, and a code generator then rejects the whole operation.
 */
const unportable = /\(\?[=!<]|\\[pPuk]/

/** Drops patterns that not every language supports; `x-form` describes the text in words. */
export function portableSchema(schema: Schema): Schema {
  const { pattern, ...rest } = schema
  if (typeof pattern !== 'string' || !unportable.test(pattern)) return schema
  const form = rest['x-form']
  return rest.description === undefined && typeof form === 'string' ? { ...rest, description: form } : rest
}
