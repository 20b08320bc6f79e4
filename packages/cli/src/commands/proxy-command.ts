import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Command } from 'commander'
import type { Connection } from '../context/connection.ts'
import { CliError, messageOf, usageError } from '../exit-codes.ts'
import type { Session } from './session.ts'

const defaultPort = '9003'

export function addProxyCommand(program: Command, session: Session): void {
  program
    .command('proxy')
    .summary('Serve the OpenCost-compatible API on this machine')
    .description(
      'Serves the OpenCost-compatible API of the server at 127.0.0.1, for clients that send no credentials, such as ' +
        'kubectl-cost. Requests use the API key of the context. Every user of this machine can read the costs.',
    )
    .option('--port <port>', 'port to listen on; 0 selects a free port', defaultPort)
    .action(async ({ port }: { port: string }) => {
      const connection = await session.connect()
      const server = makeProxy(connection)
      const address = await listen(server, portOf(port))
      session.deps.warn(`Serving the OpenCost-compatible API of ${connection.server} at ${address}. Ctrl-C stops.\n`)
      const closed = once(server, 'close')
      session.deps.stopSignal?.addEventListener('abort', () => {
        server.close()
        server.closeAllConnections()
      })
      await closed
    })
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw usageError(`"${text}" is not a port.`)
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen({ host: '127.0.0.1', port })
  await once(server, 'listening').catch((error: Error) => {
    throw new CliError(`Cannot listen on 127.0.0.1:${port}: ${error.message}. Use --port.`)
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const makeProxy = (connection: Connection): Server =>
  createServer((request, response) => {
    answer(connection, request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      return refuse(response, 502, messageOf(error))
    })
  })

async function answer(connection: Connection, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = 'GET', url = '/' } = request
  // A website can resolve its own name to 127.0.0.1, and the browser then lets its pages read the responses.
  if (!isLoopback(request.headers.host)) return refuse(response, 403, 'The proxy answers only on localhost.')
  if (!isOwnOrigin(request.headers.origin)) return refuse(response, 403, 'The proxy answers no other website.')
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST')
    return refuse(response, 405, 'The proxy supports GET, HEAD and POST.')
  const target = targetOf(connection.server, url)
  if (target === undefined) return refuse(response, 404, 'The proxy serves only paths below /model.')
  const found = await connection.send(target, {
    method,
    headers: { 'x-api-key': connection.apiKey, ...contentType(request) },
    ...(method === 'POST' ? { body: await buffer(request) } : {}),
  })
  response.writeHead(found.status, { 'content-type': found.headers.get('content-type') ?? 'application/json' })
  if (found.body === null) response.end()
  else await pipeline(Readable.fromWeb(found.body as ReadableStream<Uint8Array>), response)
}

const contentType = ({ headers }: IncomingMessage) =>
  headers['content-type'] === undefined ? {} : { 'content-type': headers['content-type'] }

const isLoopback = (host = '') => /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host)

/** Programs send no origin; a page on this machine may read the responses. */
const isOwnOrigin = (origin: string | undefined) =>
  origin === undefined || (URL.canParse(origin) && isLoopback(new URL(origin).host))

/** The URL parser resolves dot segments in all their spellings, so the path is checked after it. */
export function targetOf(server: string, url: string): string | undefined {
  const path = /^\/model(?:[/?]|$)/.test(url) ? url : `/model${url}`
  if (!URL.canParse(`${server}${path}`)) return undefined
  const [base, target] = [new URL(`${server}/model`), new URL(`${server}${path}`)]
  const isBelow = target.pathname === base.pathname || target.pathname.startsWith(`${base.pathname}/`)
  return isBelow && target.origin === base.origin ? target.href : undefined
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ code: status, message }))
}
