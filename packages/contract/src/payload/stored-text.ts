/**
 * Maximum bytes of a name. Kubernetes names are not longer. Several names form one database key, so longer names could
 * not be stored.
 */
export const nameBytesMax = {
  /** Names of objects, namespaces and owners. */
  name: 253,
  /** Label values that select the price of a node or volume; they are shorter. */
  priced: 128,
  providerId: 1024,
  /** Labels. Labels above the Kubernetes limit are not stored; labels above this limit are not read. */
  label: 4096,
}

/** The database stores neither NUL nor unpaired surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const printable = /^[\x20-\x7e]*$/
const control = /\p{Cc}/u

/** An upper bound of the UTF-8 length; Infinity for text with control characters or unpaired surrogates. */
export function bytesOf(text: string): number {
  if (printable.test(text)) return text.length
  return control.test(text) || !text.isWellFormed() ? Number.POSITIVE_INFINITY : 3 * text.length
}

/** No valid value nests this deep. The limit protects the stack of recursive functions. */
const depthMax = 64

/** Whether all texts in a value can be stored, including field names. */
export function holdsStorableTexts(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === depthMax) return false
  if (Array.isArray(value)) return value.every((each) => holdsStorableTexts(each, depth + 1))
  return Object.entries(value).every(([key, each]) => isStorable(key) && holdsStorableTexts(each, depth + 1))
}

/** Replaces every character that cannot be stored. Field names stay unchanged. */
export function withStorableTexts(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return null
  if (Array.isArray(value)) return value.map((each) => withStorableTexts(each, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withStorableTexts(each, depth + 1)]))
}
