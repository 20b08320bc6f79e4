/**
 * How many bytes a name may have. Kubernetes has no longer ones, and several of them together are keys of tables: what is
 * longer would be accepted, and then could not be stored.
 */
export const nameBytesMax = {
  /** Of objects, namespaces, owners. */
  name: 253,
  /** What a node or a volume is priced by: values of labels, which are shorter. */
  priced: 128,
  providerId: 1024,
  /** Of labels. Those that are longer than Kubernetes allows are not stored; these are not even read. */
  label: 4096,
}

/** The database holds neither NUL nor halves of characters. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const printable = /^[\x20-\x7e]*$/
const control = /\p{Cc}/u

/** At most so many, as UTF-8; infinitely many of what can be no name. */
export function bytesOf(text: string): number {
  if (printable.test(text)) return text.length
  return control.test(text) || !text.isWellFormed() ? Number.POSITIVE_INFINITY : 3 * text.length
}

/** Nothing that is described nests so deep, and whatever walks it has only so much of a stack. */
const depthMax = 64

/** Whether all texts in a value can be stored, names of fields included. */
export function holdsStorableTexts(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth === depthMax) return false
  if (Array.isArray(value)) return value.every((each) => holdsStorableTexts(each, depth + 1))
  return Object.entries(value).every(([key, each]) => isStorable(key) && holdsStorableTexts(each, depth + 1))
}

/** The same with a sign in place of every character that cannot be stored. Names of fields stay as they are. */
export function withStorableTexts(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.replaceAll('\0', '\ufffd').toWellFormed()
  if (typeof value !== 'object' || value === null) return value
  if (depth === depthMax) return null
  if (Array.isArray(value)) return value.map((each) => withStorableTexts(each, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withStorableTexts(each, depth + 1)]))
}
