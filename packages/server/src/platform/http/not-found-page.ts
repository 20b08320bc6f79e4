import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './problem-reply.ts'
import type { StaticFile } from './static-files.ts'
import { varyWith } from './vary.ts'

/** What programs ask for: there an unknown address is answered as a problem, whatever they accept. */
const notPages = /^\/(?:api|auth|assets|docs|healthz|readyz|metrics)(?:\/|$)/

/** Looks at each character once: this runs before the request is counted. */
const namesFile = (path: string) => path.includes('.', path.lastIndexOf('/') + 1)

/** An address that no page has, though one could: whoever asks for HTML is shown the dashboard, others a problem. */
function isMissingPage(request: FastifyRequest): boolean {
  if (!request.is404 || !['GET', 'HEAD'].includes(request.method)) return false
  const path = pathOf(request)
  return !notPages.test(path) && !namesFile(path)
}

/** Somebody with a browser; a program that follows a wrong path asks for no HTML. Caches have to keep the two apart. */
export function wantsNotFoundPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isMissingPage(request)) return false
  reply.header('vary', varyWith(reply.getHeader('vary'), 'Accept'))
  return /\btext\/html\b/.test(request.headers.accept ?? '')
}

/** The dashboard, which says so in its own words. */
export const sendNotFoundPage = (reply: FastifyReply, { bytes, mediaType }: StaticFile) =>
  reply.code(404).type(mediaType).send(bytes)
