import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

const none = Type.Object({}, { additionalProperties: false })

/**
 * A route without query parameters accepts none. Pages and probes ignore them, because caches and load balancers add
 * some.
 */
export function closeQueries(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (
      route.config?.access !== 'free' &&
      route.config?.access !== 'probe' &&
      route.schema?.querystring === undefined
    ) {
      route.schema = { ...route.schema, querystring: none }
    }
  })
}
