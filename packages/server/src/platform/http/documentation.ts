import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { futureExample } from '@plimsoll/contract'
import type { RouteOptions } from 'fastify'
import { dayMs } from '@plimsoll/engine'
import type { Deps } from '../deps.ts'
import { docsPage } from './docs-page.ts'
import { openApi, type OpenApi } from './openapi.ts'
import { version } from '../version.ts'

const exampleDaysAhead = 28

/** Examples must work when people copy them, also long after this version was built. */
function withFutureDates(text: string, now: Date): string {
  const day = new Date(now.getTime() + exampleDaysAhead * dayMs).toISOString().slice(0, 10)
  return text.replaceAll(futureExample, `${day}T09:00:00Z`)
}

export const documentationRoutes: FastifyPluginAsyncTypebox<{ deps: Deps; routes: RouteOptions[] }> = async (
  app,
  { deps, routes },
) => {
  let document: OpenApi | undefined
  let page: string | undefined
  /** Created on first use: all routes are registered by then. */
  const made = () => (document ??= openApi(routes, version))

  app.get(
    '/openapi.json',
    { schema: { summary: 'OpenAPI 3.1 document of this API', tags: ['Operation'] } },
    async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(withFutureDates(JSON.stringify(made()), deps.now())),
  )

  app.get('/docs/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs', 301))

  app.get('/docs', { schema: { hide: true } }, async (_request, reply) => {
    page ??= docsPage(made(), deps.settings.publicUrl)
    return reply.type('text/html; charset=utf-8').send(withFutureDates(page, deps.now()))
  })
}
