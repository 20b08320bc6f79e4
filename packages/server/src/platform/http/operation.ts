import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { diskFull } from './problem-reply.ts'
import { Problem } from './problem.ts'

const tags = ['Health and metrics']
const probeMs = 1_000
const State = Type.Object({ status: Type.String() })

export const operationRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  let probe: { atMs: number; answer: Promise<unknown> } | undefined
  /** Public and uncounted, so the database is queried at most once a second. */
  const probeOnce = () => {
    const atMs = deps.now().getTime()
    if (probe === undefined || Math.abs(atMs - probe.atMs) >= probeMs)
      probe = { atMs, answer: sql`select 1`.execute(deps.db) }
    return probe.answer
  }

  app.get(
    '/healthz',
    { schema: { summary: 'Liveness: the process runs', tags, response: { 200: State } } },
    async () => ({
      status: 'ok',
    }),
  )

  app.get(
    '/readyz',
    {
      schema: {
        summary: 'Readiness: the database is reachable and the service is not shutting down',
        tags,
        response: { 200: State },
      },
    },
    async () => {
      await probeOnce().catch(async (cause: unknown) => {
        if (await deps.disk.isCauseOf(cause)) throw diskFull(cause)
        throw new Problem('service_unavailable', 'The database does not respond.', {
          headers: { 'retry-after': '5' },
          cause,
        })
      })
      return { status: 'ok' }
    },
  )
}

/** Separate, because PLIMSOLL_METRICS_LISTEN moves it to its own listener. */
export const metricsRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get('/metrics', { schema: { summary: 'Prometheus metrics', tags } }, async (_request, reply) =>
    reply.type(deps.metrics.registry.contentType).send(await deps.metrics.registry.metrics()),
  )
}
