import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { Operation } from '@plimsoll/contract'
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  RawServerDefault,
  RouteGenericInterface,
  RouteShorthandOptionsWithHandler,
} from 'fastify'

type SchemaOf<Op extends Operation> = {
  [Part in 'params' | 'headers' | 'body' | 'response' as Part extends keyof Op ? Part : never]: Op[Part]
} & (Op extends { query: infer Query } ? { querystring: Query } : unknown)

type App = FastifyInstance<RawServerDefault, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>

type Options<Op extends Operation> = RouteShorthandOptionsWithHandler<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  RouteGenericInterface,
  ContextConfigDefault,
  SchemaOf<Op>,
  TypeBoxTypeProvider
>

/** The parts of an operation that a feature adds: hooks and the handler. The contract has everything else. */
type Handling<Op extends Operation> = Pick<
  Options<Op>,
  'preParsing' | 'preValidation' | 'preHandler' | 'attachValidation' | 'errorHandler' | 'handler'
>

/** Registers an operation of the contract; the gate rejects every other route. */
export function handle<Op extends Operation>(app: App, operation: Op, handling: Handling<Op>): void {
  const [method, url] = operation.route.split(' ')
  const { bodyBytesMax: bodyLimit } = operation
  const options = { method, url, config: { operation }, bodyLimit, schema: schemaOf(operation), ...handling }
  // The handler fits the schemas of its own operation only.
  app.route(options as unknown as Parameters<App['route']>[0])
}

/** Without undefined parts, because Fastify warns about them. */
function schemaOf({ summary, description, tag, params, query, headers, body, response, bytes }: Operation) {
  const schema = { summary, description, tags: [tag], params, querystring: query, headers, body, response, bytes }
  return Object.fromEntries(Object.entries(schema).filter(([, part]) => part !== undefined))
}
