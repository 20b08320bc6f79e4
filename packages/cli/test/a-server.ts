import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Answer = { status?: number; headers?: Record<string, string>; body?: unknown }

/** A real HTTP server with fixed answers; it records the requests. */
export async function aServer(answer: (request: IncomingMessage) => Answer) {
  const requests: { url: string; key: string | undefined }[] = []
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', key: request.headers['x-api-key'] as string | undefined })
    const { status = 200, headers = {}, body = {} } = answer(request)
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** An address where nothing listens. */
export async function aClosedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}
