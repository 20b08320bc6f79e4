import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export type RawResponse = { statusCode: number; headers: Record<string, string>; body: string }

/** The port of a listening app; closing the app closes it. */
export async function listen(app: FastifyInstance): Promise<number> {
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return (app.server.address() as AddressInfo).port
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  // A server may close the connection while the test still writes; only its response counts.
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Sends raw bytes, and reads until the server closes the connection. */
export async function exchange(port: number, bytes: string | Buffer): Promise<RawResponse> {
  const socket = await openSocket(port)
  socket.write(bytes)
  return answerOn(socket)
}

export async function answerOn(socket: Socket): Promise<RawResponse> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return parseResponse(Buffer.concat(chunks).toString())
}

/** A whole request with one header line per entry, after which the server closes the connection. */
export function rawRequest(line: string, headers: readonly string[] = [], body = ''): string {
  return `${[line, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`
}

function parseResponse(text: string): RawResponse {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
  })
  return {
    statusCode: Number(status.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  }
}
