import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem, quoted } from './problem.ts'
import { parseJson } from './json-text.ts'

/** Only JSON is accepted; an empty body means no body, with any content type. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    demandPlainUtf8(request)
    return parseJson(body)
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined
    const sent = request.headers['content-type']
    const instead = sent === undefined ? 'and set Content-Type' : `not '${sent.slice(0, 80)}'`
    throw new Problem('unsupported_media_type', `Send application/json, ${instead}.`)
  })
}

/** A field sent to a route without a body is an error, like a mistyped one; `{}` and `null` are accepted. */
export function refuseUnwantedBodies(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ routeOptions, body }) => {
    if (routeOptions.schema?.body !== undefined || isEmpty(body)) return
    throw new Problem('invalid_body', 'This operation does not accept a body.', {
      errors: [{ pointer: '', code: 'unwanted', detail: 'must be empty' }],
    })
  })
}

const isEmpty = (body: unknown) =>
  body === undefined || body === null || (typeof body === 'object' && Object.keys(body).length === 0)

function demandPlainUtf8({ headers }: FastifyRequest): void {
  const charset = /charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new Problem('unsupported_media_type', `The charset '${charset.slice(0, 40)}' is not supported; send UTF-8.`)
  }
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw unsupportedEncoding(encoding, 'identity')
}

/** RFC 9110 requires Accept-Encoding in this response, so that a client knows the alternatives. */
export const unsupportedEncoding = (sent: string, supported: 'gzip' | 'identity') =>
  new Problem(
    'unsupported_media_type',
    `The content encoding ${quoted(sent)} is not supported; ${supported === 'gzip' ? 'send gzip' : 'send the body uncompressed'}.`,
    { headers: { 'accept-encoding': supported } },
  )
