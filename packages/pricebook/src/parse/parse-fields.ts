/** Reports one problem of a book as text. */
export type Report = (problem: string) => void

const textLengthMax = 500

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= textLengthMax
}

export function isAmount(value: unknown, max: number): value is number {
  return typeof value === 'number' && value > 0 && value <= max
}

/** Names that differ in more than case. */
export function isNames(value: unknown): value is string[] {
  if (!Array.isArray(value) || !value.every((name) => isText(name) && name !== '')) return false
  return new Set(value.map((name: string) => name.toLowerCase())).size === value.length
}
