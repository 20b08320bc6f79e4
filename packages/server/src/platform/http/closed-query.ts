import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'

const none = Type.Object({}, { additionalProperties: false })

/** A route that names no query parameters takes none. Pages and probes do not mind: caches and load balancers add some. */
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
