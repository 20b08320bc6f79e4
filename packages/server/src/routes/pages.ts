import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Deps } from '../deps.ts'
import { assetsDirectory } from '../directories.ts'
import { isKnown } from '../http/etag.ts'
import { Problem, quoted } from '../problem.ts'

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

type Asset = { bytes: Buffer; mediaType: string; etag: string }

/** The page behind one-time links, and what it and the documentation are drawn with. */
export const pageRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app) => {
  const assets = await loadAssets()

  app.get('/', { schema: { hide: true } }, async (_request, reply) => reply.redirect('/docs', 302))

  app.get('/welcome', { schema: { hide: true } }, async (_request, reply) => {
    const page = demandAsset(assets, 'welcome.html')
    return reply.type(page.mediaType).send(page.bytes)
  })

  // Browsers ask for it by themselves, wherever the page says its icon is.
  app.get('/favicon.ico', { schema: { hide: true } }, async (_request, reply) => {
    const icon = demandAsset(assets, 'favicon.svg')
    return reply.header('cache-control', 'public, max-age=86400').type(icon.mediaType).send(icon.bytes)
  })

  app.get(
    '/assets/:file',
    { schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => {
      const { bytes, mediaType, etag } = demandAsset(assets, request.params.file)
      reply.header('etag', etag).header('cache-control', 'public, max-age=300')
      return isKnown(request, etag) ? reply.code(304).send() : reply.type(mediaType).send(bytes)
    },
  )
}

/** Read once at start: a request chooses among them and never names a file on disk. */
async function loadAssets(): Promise<Map<string, Asset>> {
  const names = await readdir(assetsDirectory)
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, Asset]> => {
      const bytes = await readFile(new URL(name, assetsDirectory))
      const etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 16)}"`
      return [name, { bytes, mediaType: mediaTypes[extname(name)] ?? 'application/octet-stream', etag }]
    }),
  )
  return new Map(assets)
}

function demandAsset(assets: Map<string, Asset>, name: string): Asset {
  const asset = assets.get(name)
  if (!asset) throw new Problem('not_found', `There is no file ${quoted(name)}.`)
  return asset
}
