import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './problem-reply.ts'
import type { StaticFile } from './static-files.ts'
import { varyWith } from './vary.ts'

/** Paths for programs: an unknown address there always gives a problem. */
const notPages = /^\/(?:api|auth|model|assets|docs|healthz|readyz|metrics)(?:\/|$)/

/** Reads each character once: this runs before the request is counted. */
const namesFile = (path: string) => path.includes('.', path.lastIndexOf('/') + 1)

/** An unknown address that could be a page: a request for HTML gets the dashboard, other requests a problem. */
function isMissingPage(request: FastifyRequest): boolean {
  if (!request.is404 || !['GET', 'HEAD'].includes(request.method)) return false
  const path = pathOf(request)
  return !notPages.test(path) && !namesFile(path)
}

/** A browser; a program does not request HTML. Caches must separate the two. */
export function wantsNotFoundPage(request: FastifyRequest, reply: FastifyReply): boolean {
  if (!isMissingPage(request)) return false
  reply.header('vary', varyWith(reply.getHeader('vary'), 'Accept'))
  return /\btext\/html\b/.test(request.headers.accept ?? '')
}

/** The dashboard, which shows the error. */
export const sendNotFoundPage = (reply: FastifyReply, { bytes, mediaType }: StaticFile) =>
  reply.code(404).type(mediaType).send(bytes)
