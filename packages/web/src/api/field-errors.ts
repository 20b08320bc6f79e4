import { ApiError } from '@plimsoll/client'

export type FieldErrors = ReadonlyMap<string, string>

/** Texts of a form that replace errors of the service, by pointer and code: `/kind required`. */
export type OwnWords = Readonly<Record<string, string>>

/** The errors of the service by field pointer, such as `/settings/min_savings`. */
export function fieldErrors(error: Error | null, ownWords: OwnWords = {}): FieldErrors {
  const errors = error instanceof ApiError ? error.members.errors : undefined
  const found = Array.isArray(errors) ? errors.filter(isFieldError) : []
  return new Map(found.map(({ pointer, code, detail }) => [pointer, ownWords[`${pointer} ${code}`] ?? detail]))
}

/** An error of a list entry is shown at the list. */
export function wrongAt(errors: FieldErrors, field: string): string | undefined {
  return errors.get(field) ?? [...errors].find(([pointer]) => pointer.startsWith(`${field}/`))?.[1]
}

/** Whether the shown fields cover all errors. */
export const isAllShown = (errors: FieldErrors, fields: readonly string[]): boolean =>
  errors.size > 0 && [...errors.keys()].every((pointer) => fields.some((field) => isWithin(pointer, field)))

const isWithin = (pointer: string, field: string) => pointer === field || pointer.startsWith(`${field}/`)

function isFieldError(error: unknown): error is { pointer: string; code?: string; detail: string } {
  const { pointer, detail } = (error ?? {}) as { pointer?: unknown; detail?: unknown }
  return typeof pointer === 'string' && typeof detail === 'string'
}
