import {
  Type,
  type Static,
  type TProperties,
  type TSchema,
  type TString,
  type TStringOptions,
  type TUnsafe,
} from 'typebox'
import { problems, type ProblemCode } from '../problems.ts'

export const Timestamp = Type.String({
  format: 'date-time',
  description: 'RFC 3339, UTC',
  examples: ['2026-01-31T09:30:00Z'],
})

/** In examples of future times. The service shows a time four weeks ahead instead of it. */
export const futureExample = '2100-01-01T09:00:00Z'

export const FutureTimestamp = (description: string) =>
  Type.String({ ...Timestamp, description, examples: [futureExample] })

/**
 * One schema with two types if possible. A union would be tried branch by branch for every returned value, and its
 * error text would be "must be null".
 */
export function Nullable<T extends TSchema>(schema: T, description?: string): TUnsafe<Static<T> | null> {
  const about = description === undefined ? {} : { description }
  const { type, title, enum: choices } = schema as { type?: unknown; title?: string; enum?: unknown[] }
  if (typeof type !== 'string' || title !== undefined) return Type.Unsafe({ anyOf: [schema, Type.Null()], ...about })
  const orNull = choices === undefined ? {} : { enum: [...choices, null] }
  return Type.Unsafe({ ...schema, type: [type, 'null'], ...orNull, ...about })
}

/** Request bodies and query strings are closed, so that a mistyped field is an error. */
export const Closed = <T extends TProperties>(properties: T, options: object = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

/** Text with a pattern. `form` describes the pattern in words for error messages. */
export const Formed = (pattern: string, form: string, options: TStringOptions = {}): TString =>
  Type.String({ pattern, 'x-form': form, ...options })

/** Control characters, and characters that reorder text, hide it or look blank. */
const hidden = '\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u034F\\u115F\\u1160\\u3164\\uFFA0'

/** Some scripts and emoji need the two joiners, so these format characters are allowed. */
const joiners = '\\u200C\\u200D'

/**
 * One visible character outside `refused`. The two alternatives share no character and need no look-around, so every
 * pattern built from them takes linear time.
 */
export const visibleCharacter = (refused = '') => `(?:[^${refused}${hidden}]|[${joiners}])`

export const visibleText = `${visibleCharacter()}*`

const visible = 'text without control characters and invisible characters'
const visibleLines = `${visible}; line breaks (\\n) are allowed`

export const VisibleText = (options: TStringOptions) => Formed(`^${visibleText}$`, visible, options)

export const VisibleLines = (options: TStringOptions) =>
  Formed(`^(?:[^${hidden}]|[${joiners}\\n])*$`, visibleLines, options)

export const clusterIdPattern = 'cls_[0-9a-z]{1,64}'
export const ClusterId = (description: string) =>
  Formed(`^${clusterIdPattern}$`, 'a cluster ID such as cls_01k3v7m9q2x4t6b8n0d2f4h6j8', { description })

export const namespacePattern = '[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?'
export const NamespaceName = Formed(
  `^${namespacePattern}$`,
  'a namespace name: 1 to 63 lower-case letters, digits and -',
  { description: 'Name of a namespace' },
)

const visibleNonBlank = visibleCharacter('\\s')

/**
 * Text that users enter and others read. Blanks at either end are rejected because they are invisible. The pattern
 * accepts the empty text, so that an empty name causes only the length error.
 */
export const Name = Formed(
  `^(?:${visibleNonBlank}(?:${visibleText}${visibleNonBlank})?)?$`,
  `${visible}, without spaces at either end`,
  {
    minLength: 1,
    maxLength: 100,
    description: '1 to 100 characters, without control or invisible characters, without spaces at either end',
  },
)

export const Email = Type.String({ format: 'email', maxLength: 254, examples: ['ada@example.com'] })

export const passwordLengthMin = 8
export const passwordLengthMax = 1024

export const Password = Type.String({
  minLength: passwordLengthMin,
  maxLength: passwordLengthMax,
  description: '8 to 1024 characters',
})

/** Optional in the URL. The parser sets the default, so the value is never missing. */
export const WithDefault = <T extends TSchema>(schema: T) => Type.Optional(schema) as unknown as T

export const pageQuery = (limitMax: number, limitDefault: number) => ({
  limit: WithDefault(
    Type.Integer({ minimum: 1, maximum: limitMax, default: limitDefault, description: 'Maximum number of entries' }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 2048,
      description: '`next_cursor` of the previous page; keep the other parameters',
    }),
  ),
})

/** Additional parts of a response, so that a page needs one call. */
export const includeOf = (parts: readonly string[]) => ({
  include: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: `Additional data in the response: ${parts.map((part) => `\`${part}\``).join(', ')}; separate several values with commas`,
    }),
  ),
})

export const pageFields = {
  next_cursor: Nullable(Type.String(), 'Cursor of the next page; null on the last page'),
  has_more: Type.Boolean(),
}

const problemCodes = Object.keys(problems) as ProblemCode[]

export const ProblemBody = Type.Object(
  {
    type: Type.String({ description: 'URL of the problem description' }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String({ description: 'Explanation for display; can quote the request' }),
    instance: Type.String({ description: 'Path of the request' }),
    code: Type.Unsafe<ProblemCode>({ type: 'string', enum: problemCodes, description: 'Machine-readable code' }),
    request_id: Type.String(),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.Optional(Type.String({ description: 'JSON pointer into the body' })),
          parameter: Type.Optional(Type.String({ description: 'Name of the query parameter or header' })),
          code: Type.String(),
          detail: Type.String(),
        }),
      ),
    ),
  },
  { title: 'Problem', additionalProperties: true },
)

export const ItemEtag = Type.String({
  description: 'Value for If-Match of the next change; `"0-"` means that nothing is set',
  examples: ['"1-9f8Yc2Q0mZx1aB3d"'],
})

/** The workload parameter of a query. */
export const workloadPattern = '[^/,\\s]+/[^/,\\s]+/[^/,\\s]+'

/** The headers of an edit that detects concurrent edits. */
export const IfMatch = Type.Object({
  'if-match': Type.Optional(
    Type.String({ description: 'ETag of the resource as you read it; 412 if it has changed since' }),
  ),
})

/** The body of 204 and 304. */
export const NoContent = Type.Null()
