import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, quoted } from './problem.ts'

/**
 * `"<revision>-<hash>"`. The hash covers the whole response, for caches. If-Match checks only the revision, which grows
 * with each edit: a concurrent report of an agent must not make an edit fail.
 */
export function etagOf(revision: number, body: unknown): string {
  return `"${revision}-${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`
}

/** For items that are read and edited in lists: each item has its own ETag. */
export const withEtag = <Body extends object>(revision: number, body: Body) => ({
  ...body,
  etag: etagOf(revision, body),
})

/** Sends 304 when the caller has the current version. */
export function sendWithEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  revision: number,
  body: unknown,
): FastifyReply {
  const etag = etagOf(revision, body)
  reply.header('etag', etag).header('cache-control', 'private, no-cache')
  return isKnown(request, etag) ? reply.code(304).send() : reply.send(body)
}

export function isKnown(request: FastifyRequest, etag: string): boolean {
  const known = listed(request.headers['if-none-match'])
  return known.includes('*') || known.some((tag) => strong(tag) === etag)
}

const wellFormed = /^(\*|((W\/)?"[^"]*"(\s*,\s*|$))+)$/

export function demandMatch(request: FastifyRequest, revision: number): void {
  demandTag(request, (tag) => tag.startsWith(`"${revision}-`))
}

/** For resources that only edits change, and that can be deleted and created again with the first revision. */
export function demandSame(request: FastifyRequest, etag: string): void {
  demandTag(request, (tag) => tag === etag)
}

function demandTag(request: FastifyRequest, isRead: (tag: string) => boolean): void {
  const header = request.headers['if-match']
  if (header === undefined) return
  if (!wellFormed.test(header.trim())) throw malformed(header)
  const wanted = listed(header)
  if (wanted.includes('*') || wanted.some((tag) => isRead(strong(tag)))) return
  throw new Problem(
    'precondition_failed',
    'The resource has changed since you read it. Read it again and repeat the change.',
  )
}

function malformed(header: string): Problem {
  const detail = 'must be * or the quoted ETag of the response'
  return new Problem('invalid_header', `If-Match ${detail}, not ${quoted(header)}.`, {
    errors: [{ parameter: 'If-Match', code: 'pattern', detail }],
  })
}

/** Weak tags are accepted: a compressing proxy makes tags weak. */
const strong = (tag: string) => tag.replace(/^W\//, '')

function listed(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
}
