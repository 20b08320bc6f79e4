import { createServer, type Server } from 'node:http'
import { metricsText, notReady, type Status } from './status.ts'

/** Serves the kubelet and Prometheus. The responses contain no data of the cluster. */
export function openStatusServer(
  status: () => Status,
  { host, port }: { host: string | undefined; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    const reply = (code: number, body: string, type = 'text/plain; charset=utf-8') =>
      response.writeHead(code, { 'content-type': type }).end(body)
    if (request.method !== 'GET' && request.method !== 'HEAD') return reply(405, 'method not allowed; use GET\n')
    switch (request.url ?? '') {
      case '/healthz':
        return reply(200, 'ok\n')
      case '/readyz': {
        const reasons = notReady(status())
        return reply(reasons.length === 0 ? 200 : 503, `${reasons.join('\n') || 'ok'}\n`)
      }
      case '/metrics':
        return reply(200, metricsText(status()), 'text/plain; version=0.0.4')
      default:
        return reply(404, 'available paths: /healthz, /readyz, /metrics\n')
    }
  })
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // Without a host, Node.js listens on IPv6 and IPv4, or on IPv4 only if IPv6 is not available.
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => resolve(server))
  })
}
