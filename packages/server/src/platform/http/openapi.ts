import { bodyBytesMax, isOpenToAnyone, ProblemBody, type Access } from '@plimsoll/contract'
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify'
import { answerHeaders, headersOf, plainBody, securitySchemes, withHeaderForm } from './openapi-headers.ts'
import { portableSchema } from './portable-schema.ts'

type Schema = Record<string, unknown>
type Json = Record<string, unknown>

export type OpenApi = {
  openapi: string
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; securitySchemes: Json }
}

export type Operation = {
  operationId: string
  summary?: string
  description?: string
  tags?: string[]
  security: Json[]
  'x-access': Access
  parameters: Parameter[]
  requestBody?: {
    description?: string
    required: boolean
    'x-max-bytes': number
    content: Record<string, { schema: Schema }>
  }
  responses: Record<string, { description: string; headers: Json; content?: Record<string, { schema: Schema }> }>
}

export type Parameter = { name: string; in: string; required: boolean; description?: string; schema: Schema }

/** Collects the routes on registration: the document uses the schemas that validate and serialize. */
export function collectRoutes(app: FastifyInstance): RouteOptions[] {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD' && !route.schema?.hide) routes.push(route)
  })
  return routes
}

export function openApi(routes: readonly RouteOptions[], version: string): OpenApi {
  const schemas: Record<string, Schema> = {}
  const paths: OpenApi['paths'] = {}
  for (const route of routes) {
    const path = route.url.replaceAll(/:([^/]+)/g, '{$1}')
    const method = String(route.method).toLowerCase()
    paths[path] = { ...paths[path], [method]: operation(route, path, method, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plimsoll',
      version,
      description:
        'Cost and idle cost of Kubernetes clusters, recommendations to lower them, and verification of applied changes.',
    },
    paths,
    components: {
      schemas,
      securitySchemes,
    },
  }
}

function operation(route: RouteOptions, path: string, method: string, schemas: Record<string, Schema>): Operation {
  const schema = route.schema ?? {}
  const access: Access = route.config?.access ?? 'free'
  return {
    operationId: route.config?.operation?.name ?? idOf(method, path),
    ...(schema.summary === undefined ? {} : { summary: schema.summary }),
    ...(schema.description === undefined ? {} : { description: schema.description }),
    ...(schema.tags === undefined ? {} : { tags: [...schema.tags] }),
    security: securityOf(access),
    'x-access': access,
    parameters: [
      ...parametersOf(schema.params, 'path'),
      ...parametersOf(schema.querystring, 'query'),
      ...parametersOf(schema.headers, 'header'),
      ...headersOf(method, path, Object.keys(schema.response ?? {})),
    ],
    ...bodyOf(schema.body as Schema | undefined, route.bodyLimit ?? bodyBytesMax, schemas),
    responses: responsesOf(schema.response as Record<string, Schema> | undefined, schema.bytes, schemas),
  }
}

/** For probes and this document, which are not in the contract. */
const idOf = (method: string, path: string) =>
  `${method}${path.replaceAll(/[^A-Za-z0-9]+(.)?/g, (_all, next: string | undefined) => next?.toUpperCase() ?? '')}`

function securityOf(access: Access): Json[] {
  if (isOpenToAnyone(access)) return []
  if (access === 'person') return [{ jwt: [] }]
  return access === 'metrics:submit' ? [{ agent_token: [] }] : [{ jwt: [] }, { api_key: [] }, { api_key_bearer: [] }]
}

function parametersOf(schema: unknown, place: 'path' | 'query' | 'header'): Parameter[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Schema>
    required?: string[]
  }
  return Object.entries(properties).map(([key, property]) => {
    const name = place === 'header' ? key.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()) : key
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(key),
      ...(typeof property.description === 'string' ? { description: property.description } : {}),
      schema: place === 'header' ? withHeaderForm(name, property) : portableSchema(property),
    }
  })
}

function bodyOf(
  body: Schema | undefined,
  bytesMax: number,
  schemas: Record<string, Schema>,
): Pick<Operation, 'requestBody'> {
  if (body === undefined) return {}
  const required = !('~optional' in body)
  const mediaType = typeof body.contentMediaType === 'string' ? body.contentMediaType : 'application/json'
  const content = { [mediaType]: { schema: named(body, schemas) } }
  // The body of a batch is compressed, and a separate header says so.
  const about = 'x-file' in body ? {} : { description: plainBody }
  return { requestBody: { ...about, required, 'x-max-bytes': bytesMax, content } }
}

function responsesOf(
  responses: Record<string, Schema> = { 200: {} },
  bytes: FastifySchema['bytes'],
  schemas: Record<string, Schema>,
): Operation['responses'] {
  const described = Object.entries(responses).map(([status, schema]) => {
    const empty = schema.type === 'null' || Object.keys(schema).length === 0
    const json = { 'application/json': { schema: named(schema, schemas) } }
    const content = empty ? {} : { content: { ...json, ...(status === '200' ? bytesOf(bytes) : {}) } }
    return [status, { description: answerNames[status] ?? 'Response', headers: answerHeaders, ...content }] as const
  })
  const problem = { 'application/problem+json': { schema: named(ProblemBody, schemas) } }
  return {
    ...Object.fromEntries(described),
    default: { description: 'Problem (RFC 9457)', headers: answerHeaders, content: problem },
  }
}

/** Described here and not in the response schemas, which serialize JSON. */
const bytesOf = (bytes: FastifySchema['bytes'] = {}): Record<string, { schema: Schema }> =>
  Object.fromEntries(
    Object.entries(bytes).map(([mediaType, description]) => [
      mediaType,
      { schema: { type: 'string', format: 'binary', description } },
    ]),
  )

const answerNames: Record<string, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No content',
  304: 'Not modified',
}

/** Schemas with a title become components, so that each shape appears once. */
function named(schema: object, schemas: Record<string, Schema>): Schema {
  const plain = JSON.parse(JSON.stringify(schema)) as Schema
  return hoist(plain, schemas) as Schema
}

function hoist(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((each) => hoist(each, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { title, ...rest } = value as Schema
  const inner = Object.fromEntries(
    Object.entries(rest).map(([key, child]) => [key, key === 'examples' ? child : hoist(child, schemas)]),
  )
  const portable = portableSchema(inner)
  if (typeof title !== 'string') return title === undefined ? portable : { title, ...portable }
  schemas[title] = { title, ...portable }
  return { $ref: `#/components/schemas/${title}` }
}
