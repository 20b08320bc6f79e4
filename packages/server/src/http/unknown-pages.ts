import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './problem-reply.ts'
import type { StaticFile } from './static-files.ts'

/** What programs ask for: there an unknown address is answered as a problem, whatever they accept. */
const notPages = /^\/(api|auth|assets|docs|healthz|readyz|metrics)(\/|$)|\.[^/]*$/

/** Somebody with a browser at an address that no page has; a program that follows a wrong path asks for no HTML. */
export const isLostVisitor = (request: FastifyRequest) =>
  request.is404 &&
  ['GET', 'HEAD'].includes(request.method) &&
  /\btext\/html\b/.test(request.headers.accept ?? '') &&
  !notPages.test(pathOf(request))

/** The dashboard, which says so in its own words. */
export const sendUnknownPage = (reply: FastifyReply, { bytes, mediaType }: StaticFile) =>
  reply.code(404).type(mediaType).send(bytes)
