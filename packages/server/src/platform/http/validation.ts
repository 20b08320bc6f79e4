import { Ajv, type ErrorObject, type Options } from 'ajv'
import formats from 'ajv-formats'
import type { FastifySchemaCompiler } from 'fastify'
import type { TSchema } from 'typebox'
import { Problem, type FieldError } from './problem.ts'
import { nearestName } from './nearest-name.ts'

const strict: Options = {
  allErrors: false,
  verbose: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
}

const errorsShownMax = 20

/** Collecting all errors of a large body takes seconds, and users do not type such a body. */
const collectedTextMax = 16 * 1024

/** The validators cache compiled schemas, so a second app in this process does not compile them again. */
const bodies = withFormats(new Ajv(strict))
const thorough = withFormats(new Ajv({ ...strict, allErrors: true }))
const texts = withFormats(new Ajv({ ...strict, coerceTypes: true, useDefaults: true }))

/**
 * A mistyped field must not be ignored and "5" is not 5; only addresses, which contain text only, are coerced. A schema is
 * compiled at its first request: all schemas at once take a third of the start.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const optional = '~optional' in schema
  return (data: unknown) => {
    const strictly = bodies.compile(schema)
    // Coerced values are validated again: coercion accepts 1e999 as Infinity.
    const steps = httpPart === 'body' ? [strictly] : [texts.compile(schema), strictly]
    // The framework passes null when there is no body.
    if (optional && data === null) return { value: undefined }
    const repeated = httpPart === 'querystring' ? repeatedParameters(data) : undefined
    if (repeated) return { error: repeated }
    const failed = steps.find((validate) => !validate(data))
    if (!failed) return { value: data }
    return { error: invalid(allErrors(schema, data) ?? failed.errors ?? [], httpPart) }
  }
}

/** Most schemas never need it, so it is compiled at the first error. */
function allErrors(schema: TSchema, data: unknown): ErrorObject[] | undefined {
  if (!isCollected(data)) return undefined
  const validate = thorough.compile(schema)
  return validate(data) ? undefined : (validate.errors ?? undefined)
}

/** A missing body counts as small. */
const isCollected = (data: unknown) => JSON.stringify(data ?? null).length <= collectedTextMax

/** Otherwise unlisted fields may be invalid as well. */
export const listsEveryMistake = (body: unknown, errors: readonly FieldError[]): boolean =>
  errors.length < errorsShownMax && isCollected(body)

/** Several values are separated by commas; a repeated parameter would be ambiguous. */
function repeatedParameters(query: unknown): Problem | undefined {
  const repeated = Object.entries(query ?? {}).filter(([, value]) => Array.isArray(value))
  if (repeated.length === 0) return undefined
  const detail = 'must not be repeated; separate several values with commas'
  return invalidParameters(repeated.map(([parameter]) => ({ parameter, code: 'repeated', detail })))
}

const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

function withFormats(ajv: Ajv): Ajv {
  formats.default(ajv)
  // For readers: the description of a pattern, and the file of a body.
  ajv.addVocabulary(['x-form', 'x-file'])
  return ajv.addFormat('date-time', isTime)
}

/** A time that JavaScript represents exactly: no leap second, no 30th of February, and a year of four digits in UTC. */
function isTime(text: string): boolean {
  const [day = ''] = text.split(/t/i)
  const [time, midnight] = [new Date(text), new Date(`${day}T00:00:00Z`)]
  const years = [time.getUTCFullYear(), midnight.getUTCFullYear()]
  return (
    rfc3339.test(text) && years.every((year) => year >= 1 && year <= 9999) && midnight.toISOString().startsWith(day)
  )
}

function invalid(errors: ErrorObject[], httpPart: string | undefined): Problem {
  const shown = errors.filter(({ keyword }) => keyword !== 'anyOf').slice(0, errorsShownMax)
  const found = shown.length > 0 ? shown : errors.slice(0, 1)
  return httpPart === 'body' ? invalidBody(found.map(bodyError)) : invalidParameters(found.map(parameterError))
}

export function invalidBody(errors: FieldError[]): Problem {
  const [first] = errors
  const where = first?.pointer ? `${first.pointer}: ` : 'The body '
  return new Problem('invalid_body', sentence(where, errors), { errors })
}

function invalidParameters(errors: FieldError[]): Problem {
  return new Problem('invalid_parameter', sentence(`${errors[0]?.parameter ?? ''}: `, errors), { errors })
}

function sentence(where: string, errors: FieldError[]): string {
  const more = errors.length > 1 ? ` (${errors.length - 1} more in errors)` : ''
  const detail = `${errors[0]?.detail ?? 'is invalid'}${more}`
  return `${where}${detail}${detail.endsWith('?') ? '' : '.'}`
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
  if (unknown !== undefined) return `is unknown${meant(unknown, error)}`
  if (missing !== undefined) return 'is required'
  if (error.keyword === 'enum') return `must be one of ${listed(error)}${got(error)}`
  if (error.keyword === 'pattern') return `must be ${formOf(error)}${got(error)}`
  return `${said(error) ?? error.message ?? 'is invalid'}${got(error)}`
}

/** Not a name that is also present: then it was not a typing error. */
function meant(unknown: string, { parentSchema, data }: ErrorObject): string {
  const known = Object.keys((parentSchema?.properties ?? {}) as object).filter((name) => !(name in (data as object)))
  const near = nearestName(unknown, known)
  return near === undefined ? '' : `; did you mean ${near}?`
}

type Params = { limit: number; type: string | string[]; format: string; multipleOf: number; i: number; j: number }

/** Turns validator errors into sentences for users. */
function said({ keyword, params }: ErrorObject): string | undefined {
  const { limit, type, format, multipleOf, i, j } = params as Params
  const sayings: Record<string, () => string> = {
    type: () => `must be ${[type].flat().map(kindName).join(' or ')}`,
    minLength: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} characters`),
    maxLength: () => `must have at most ${count(limit, 'character')}`,
    minItems: () => (limit === 1 ? 'must not be empty' : `must have at least ${limit} entries`),
    maxItems: () => `must have at most ${limit} entries`,
    uniqueItems: () =>
      `must not contain duplicates (entries ${Math.min(i, j)} and ${Math.max(i, j)} are the same, counted from 0)`,
    minProperties: () => `must have at least ${count(limit, 'field')}`,
    maxProperties: () => `must have at most ${count(limit, 'field')}`,
    minimum: () => `must be ${limit} or more`,
    maximum: () => `must be ${limit} or less`,
    exclusiveMinimum: () => `must be more than ${limit}`,
    exclusiveMaximum: () => `must be less than ${limit}`,
    multipleOf: () => `must be a multiple of ${multipleOf}`,
    format: () => `must be ${formatNames[format] ?? format}`,
    anyOf: () => 'has an unsupported form',
  }
  return sayings[keyword]?.()
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

const kindNames: Record<string, string> = {
  array: 'a list',
  boolean: 'true or false',
  integer: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'text',
}
const kindName = (type: string) => kindNames[type] ?? type

const formatNames: Record<string, string> = {
  'date-time': 'a time such as 2026-01-31T09:30:00Z',
  email: 'an e-mail address',
  uuid: 'a UUID',
}

const listed = ({ params }: ErrorObject) => (params as { allowedValues: unknown[] }).allowedValues.join(', ')

function formOf({ parentSchema }: ErrorObject): string {
  const form: unknown = parentSchema?.['x-form']
  return typeof form === 'string' ? form : 'of another form'
}

/** Quotes the input, but never a secret, nor a value that may contain one. */
function got({ data, instancePath }: ErrorObject): string {
  if (instancePath === '' || /password|code|token|secret/.test(instancePath)) return ''
  if (data === undefined || (typeof data === 'object' && data !== null)) return ''
  if (data === Infinity || data === -Infinity) return ', got a larger value'
  const text = JSON.stringify(data)
  return `, got ${text.length > 80 ? `${text.slice(0, 80)}…` : text}`
}
