import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client'

const buckets = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export type Metrics = ReturnType<typeof makeMetrics>

export function makeMetrics() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'plimsoll_' })
  return {
    registry,
    requestSeconds: new Histogram({
      name: 'plimsoll_http_request_seconds',
      help: 'Response time by route',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers: [registry],
    }),
    failedLogins: new Counter({
      name: 'plimsoll_failed_logins_total',
      help: 'Sign-ins with a wrong e-mail address or password',
      registers: [registry],
    }),
  }
}

/** Labeled by the pattern of the route, never by the address, so that the number of series stays small. */
export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none'
    metrics.requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
}
