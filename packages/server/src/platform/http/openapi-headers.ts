type Schema = Record<string, unknown>

export type HeaderParameter = { name: string; in: 'header'; required: false; description: string; schema: Schema }

const entityTags = {
  pattern: String.raw`^(\*|(W/)?"[^"]*"( *, *(W/)?"[^"]*")*)$`,
  'x-form': '*, or entity tags in quotation marks, separated by commas',
}

/** Accepted request headers that routes do not validate by their schemas. */
const headerForms: Record<string, Schema> = {
  'Idempotency-Key': {
    minLength: 1,
    maxLength: 255,
    pattern: '^[!-~]+$',
    'x-form': 'visible ASCII characters without spaces',
    examples: ['0b6fbbcb-6a4d-4d8e'],
  },
  'If-Match': { ...entityTags, examples: ['"1-9f8Yc2Q0mZx1aB3d"'] },
  'If-None-Match': { ...entityTags, examples: ['"1-9f8Yc2Q0mZx1aB3d"'] },
}

export const withHeaderForm = (name: string, schema: Schema): Schema => ({ ...schema, ...headerForms[name] })

export function headersOf(method: string, path: string, statuses: readonly string[]): HeaderParameter[] {
  if (!path.startsWith('/api/')) return []
  if (method === 'post')
    return [
      header(
        'Idempotency-Key',
        'Idempotency key: for 24 hours, a repeated request with the same key returns the same response',
      ),
    ]
  if (statuses.includes('304'))
    return [header('If-None-Match', 'The ETag of an earlier response; 304 if the resource has not changed since')]
  return []
}

const header = (name: string, description: string): HeaderParameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: withHeaderForm(name, { type: 'string' }),
})

const credential = (prefix: string) => `^${prefix}_[0-9a-z]{26}_[0-9a-z]{59}$`

/** OpenAPI has the headers of credentials here and forbids them among the parameters. */
export const securitySchemes = {
  jwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'From POST /auth/login; valid for 24 hours',
  },
  api_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'From POST /api/v1/api-keys; starts with `plk_`',
    'x-pattern': credential('plk'),
  },
  api_key_bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'plk_…',
    description: 'The same key as `api_key`, for clients that can send only Authorization. Never send both headers',
    'x-pattern': credential('plk'),
  },
  agent_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pla_…',
    description: 'From POST /api/v1/clusters or a token rotation; starts with `pla_`',
    'x-pattern': credential('pla'),
  },
}

const count = { schema: { type: 'integer' } }

export const answerHeaders = {
  'X-Request-Id': {
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
    description: 'The X-Request-Id of the request if valid, otherwise a new one',
  },
  'X-RateLimit-Limit': count,
  'X-RateLimit-Remaining': count,
  'X-RateLimit-Reset': { ...count, description: 'Epoch seconds' },
}

/** JSON bodies are not encoded; a batch of an agent declares its encoding in a header. */
export const plainBody = 'Content-Encoding must be absent or `identity`; any other value is 415'
