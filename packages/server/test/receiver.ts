import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { path: string; headers: IncomingHttpHeaders; body: string }

export type Receiver = {
  url: string
  received: Received[]
  /** What the receiver answers from now on; by default 200. */
  answer: (received: Received, response: ServerResponse) => void
  close: () => Promise<void>
}

/** A real HTTP server on the loopback address that records every request. */
export async function openReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      }
      receiver.received.push(received)
      receiver.answer(received, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received: [],
    answer: (_received, response) => void response.writeHead(200).end(),
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
  return receiver
}

/** Answers every request with this status. */
export const answering =
  (status: number, headers: Record<string, string> = {}) =>
  (_received: Received, response: ServerResponse): void =>
    void response.writeHead(status, headers).end()
