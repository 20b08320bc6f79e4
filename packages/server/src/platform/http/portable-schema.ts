type Schema = Record<string, unknown>

/**
 * Look-around, Unicode classes and `\u` escapes: RE2 (Go), the regex crate (Rust, pydantic) and Python refuse some of
 * these, and a code generator then refuses the whole operation.
 */
const unportable = /\(\?[=!<]|\\[pPuk]/

/** Drops patterns that not every language can read; `x-form` says in words what the text must be. */
export function portableSchema(schema: Schema): Schema {
  const { pattern, ...rest } = schema
  if (typeof pattern !== 'string' || !unportable.test(pattern)) return schema
  const form = rest['x-form']
  return rest.description === undefined && typeof form === 'string' ? { ...rest, description: form } : rest
}
