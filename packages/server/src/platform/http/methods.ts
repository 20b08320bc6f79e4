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
    if (!request.is404 && !hasEmptyName(request.params)) return
    const path = pathOf(request)
    const methods = routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method)
    if (methods.length === 0) throw nothingAt(path, (other) => routes.some(({ pattern }) => pattern.test(other)))
    const allow = [...new Set([...methods, 'OPTIONS'])].sort().join(', ')
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    const detail = `${path.slice(0, pathShownMax)} supports ${allow}, not ${request.method}.`
    throw new Problem('method_not_allowed', detail, { headers: { allow } })
  })
}

/** The router takes `/clusters/` as a cluster without an ID. */
const hasEmptyName = (params: unknown) => Object.values(params ?? {}).includes('')

const pathShownMax = 200

/** Slashes at the end or in a row are typing errors: the problem names the path without them. */
function nothingAt(path: string, isServed: (path: string) => boolean): Problem {
  const shown = path.slice(0, pathShownMax)
  const meant = `/${shown.split('/').filter(Boolean).join('/')}`
  const hint = meant !== shown && isServed(meant) ? ` Did you mean ${meant}?` : ''
  return new Problem('not_found', `There is no resource at ${shown}.${hint}`)
}

const patternOf = (url: string) => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:[^/]+/g, '[^/]+')}$`)
