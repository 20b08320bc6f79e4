import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipWithCallback } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './etag.ts'
import { varyWith } from './vary.ts'

const gzip = promisify(gzipWithCallback)

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export type StaticFile = {
  bytes: Buffer
  mediaType: string
  etag: string
  cacheControl: string
  /** Created on first use, then cached. */
  zipped: (() => Promise<Buffer>) | null
}

/**
 * Read once at start: a request selects among them and never names a file on disk. Empty if the directory does not
 * exist.
 */
export async function loadStaticFiles(directory: URL, cacheControl: string): Promise<Map<string, StaticFile>> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(noneIfAbsent)
  const names = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
  const files = await Promise.all(
    names.map(async (name): Promise<[string, StaticFile]> => {
      const bytes = await readFile(new URL(name, directory))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
      const mediaType = mediaTypes[extname(name)] ?? 'application/octet-stream'
      return [name, { bytes, mediaType, etag, cacheControl, zipped: zipOnce(bytes) }]
    }),
  )
  return new Map(files)
}

function noneIfAbsent(error: NodeJS.ErrnoException): never[] {
  if (error.code === 'ENOENT') return []
  throw error
}

/** A file of a few hundred bytes does not get smaller. */
const worthZippingBytes = 1024

function zipOnce(bytes: Buffer): (() => Promise<Buffer>) | null {
  if (bytes.length < worthZippingBytes) return null
  let zipped: Promise<Buffer> | undefined
  return () => (zipped ??= gzip(bytes, { level: 9 }))
}

export async function sendStaticFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, mediaType, etag, cacheControl, zipped }: StaticFile,
): Promise<FastifyReply> {
  reply.header('etag', etag).header('cache-control', cacheControl)
  if (zipped) reply.header('vary', varyWith(reply.getHeader('vary'), 'Accept-Encoding'))
  if (isKnown(request, etag)) return reply.code(304).send()
  reply.type(mediaType)
  if (!zipped || !/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(await zipped())
}
