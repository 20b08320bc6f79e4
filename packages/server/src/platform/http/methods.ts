import type { FastifyInstance } from 'fastify'
import { Problem } from './problem.ts'
import { pathOf } from './problem-reply.ts'

/**
 * Sends 405 with the methods of the address, answers OPTIONS, and sends 404 for unknown addresses. A hook, because the
 * handler of the framework would validate the body first.
 */
export function answerOtherMethods(app: FastifyInstance): void {
  const routes: { pattern: RegExp; method: string }[] = []
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) routes.push({ pattern: patternOf(url), method: each })
  })
  app.addHook('onRequest', async (request, reply) => {
    if (!request.is404) return
    const path = pathOf(request)
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) throw new Problem('not_found', `There is no resource at ${path.slice(0, 200)}.`)
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    throw new Problem('method_not_allowed', `${path.slice(0, 200)} supports ${allow}, not ${request.method}.`, {
      headers: { allow },
    })
  })
}

const patternOf = (url: string) => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:[^/]+/g, '[^/]+')}$`)
