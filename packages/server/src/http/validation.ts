import { Ajv, type ErrorObject, type Options } from 'ajv'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem, type FieldError } from '../problem.ts'
import { isStorable } from './json-text.ts'

const strict: Options = {
  allErrors: true,
  verbose: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
}

const errorsShownMax = 20

/** A mistyped field must not be ignored and "5" is not 5; only addresses, which know nothing but text, are coerced. */
export function validatorCompiler(): FastifySchemaCompiler<TSchema> {
  const bodies = withFormats(new Ajv(strict))
  const texts = withFormats(new Ajv({ ...strict, coerceTypes: true, useDefaults: true }))
  return ({ schema, httpPart }) => {
    const validate = (httpPart === 'body' ? bodies : texts).compile(schema)
    const mayBeAbsent = httpPart === 'body' && '~optional' in schema
    return (data: unknown) => {
      // The framework says null where there is no body.
      if (mayBeAbsent && data === null) return { value: data }
      if (httpPart !== 'body') refuseUnstorableParameters(data)
      return validate(data) ? { value: data } : { error: invalid(validate.errors ?? [], httpPart) }
    }
  }
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/** A time must be one that JavaScript can hold too: it knows no leap seconds and no 30th of February. */
function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv)
  return ajv.addFormat('date-time', (text: string) => rfc3339.test(text) && !Number.isNaN(Date.parse(text)))
}

function invalid(errors: ErrorObject[], httpPart: string | undefined): Problem {
  const shown = errors.filter(({ keyword }) => keyword !== 'anyOf').slice(0, errorsShownMax)
  const found = shown.length > 0 ? shown : errors.slice(0, 1)
  return httpPart === 'body' ? invalidBody(found.map(bodyError)) : invalidParameters(found.map(parameterError))
}

function invalidBody(errors: FieldError[]): Problem {
  const [first] = errors
  const where = first?.pointer ? `${first.pointer}: ` : 'The body '
  return new Problem('invalid_body', sentence(where, errors), { errors })
}

function invalidParameters(errors: FieldError[]): Problem {
  return new Problem('invalid_parameter', sentence(`${errors[0]?.parameter ?? ''}: `, errors), { errors })
}

function sentence(where: string, errors: FieldError[]): string {
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see errors)` : ''
  return `${where}${errors[0]?.detail ?? 'is not acceptable'}${more}.`
}

function bodyError(error: ErrorObject): FieldError {
  const { unknown, missing } = namedProperty(error)
  const pointer = `${error.instancePath}${(unknown ?? missing) ? `/${escapePointer(unknown ?? missing ?? '')}` : ''}`
  return { pointer, code: error.keyword, detail: explain(error) }
}

function parameterError(error: ErrorObject): FieldError {
  const { unknown, missing } = namedProperty(error)
  const parameter = unknown ?? missing ?? error.instancePath.slice(1)
  return { parameter, code: error.keyword, detail: explain(error) }
}

function namedProperty({ params }: ErrorObject): { unknown?: string; missing?: string } {
  const { additionalProperty, missingProperty } = params as { additionalProperty?: string; missingProperty?: string }
  return {
    ...(additionalProperty === undefined ? {} : { unknown: additionalProperty }),
    ...(missingProperty === undefined ? {} : { missing: missingProperty }),
  }
}

const escapePointer = (name: string) => name.slice(0, 80).replaceAll('~', '~0').replaceAll('/', '~1')

function explain(error: ErrorObject): string {
  const { unknown, missing } = namedProperty(error)
  if (unknown !== undefined) return 'is not known here'
  if (missing !== undefined) return 'is required'
  if (error.keyword === 'enum') return `must be one of ${listed(error)}${got(error)}`
  if (error.keyword === 'pattern') return `is not of the accepted form${about(error)}${got(error)}`
  return `${error.message ?? 'is not acceptable'}${got(error)}`
}

const listed = ({ params }: ErrorObject) => (params as { allowedValues: unknown[] }).allowedValues.join(', ')

function about({ parentSchema }: ErrorObject): string {
  const description: unknown = parentSchema?.description
  return typeof description === 'string' ? ` (${description})` : ''
}

/** Quotes what was sent, but never a secret. */
function got({ data, instancePath }: ErrorObject): string {
  if (/password|code|token|secret/.test(instancePath)) return ''
  if (data === undefined) return ''
  const text = JSON.stringify(data)
  return `, got ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`
}

function refuseUnstorableParameters(data: unknown): void {
  for (const [parameter, value] of Object.entries(data ?? {})) {
    if (typeof value === 'string' && !isStorable(value)) {
      const detail = 'holds a NUL character or half a surrogate pair'
      throw new Problem('invalid_parameter', `${parameter}: ${detail}.`, {
        errors: [{ parameter, code: 'text', detail }],
      })
    }
  }
}
