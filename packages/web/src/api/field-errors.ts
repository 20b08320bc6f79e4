import { ApiError } from './client.ts'

export type FieldErrors = ReadonlyMap<string, string>

/** What a form says instead of the service, by pointer and code: `/kind required`. */
export type OwnWords = Readonly<Record<string, string>>

/** What the service said about single fields of what was sent, by their pointers, such as `/settings/min_savings`. */
export function fieldErrors(error: Error | null, ownWords: OwnWords = {}): FieldErrors {
  const told = error instanceof ApiError ? error.members.errors : undefined
  const found = Array.isArray(told) ? told.filter(isFieldError) : []
  return new Map(found.map(({ pointer, code, detail }) => [pointer, ownWords[`${pointer} ${code}`] ?? detail]))
}

/** Of a list, what was said about one of its entries is said about the list. */
export function wrongAt(errors: FieldErrors, field: string): string | undefined {
  return errors.get(field) ?? [...errors].find(([pointer]) => pointer.startsWith(`${field}/`))?.[1]
}

/** Whether a form that shows these fields shows all that was said. */
export const isAllShown = (errors: FieldErrors, fields: readonly string[]): boolean =>
  errors.size > 0 && [...errors.keys()].every((pointer) => fields.some((field) => isWithin(pointer, field)))

const isWithin = (pointer: string, field: string) => pointer === field || pointer.startsWith(`${field}/`)

function isFieldError(told: unknown): told is { pointer: string; code?: string; detail: string } {
  const { pointer, detail } = (told ?? {}) as { pointer?: unknown; detail?: unknown }
  return typeof pointer === 'string' && typeof detail === 'string'
}
