import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { dashboardPages } from '@plimsoll/contract'
import { Type } from 'typebox'
import { assetsDirectory } from '../../directories.ts'
import { loadStaticFiles, sendStaticFile, type StaticFile } from './static-files.ts'
import { Problem, quoted } from './problem.ts'

/** Their names change with their content, so they are fetched once. */
const forever = 'public, max-age=31536000, immutable'

/** Undefined if the dashboard is not built. */
export const loadPage = async (webDirectory: URL) => (await loadStaticFiles(webDirectory, 'no-cache')).get('index.html')

type Options = { webDirectory: URL; page: StaticFile | undefined }

/** The dashboard, and the assets of the documentation. */
export const pageRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { webDirectory, page }) => {
  const own = await loadStaticFiles(assetsDirectory, 'public, max-age=300')
  const assets = new Map([...own, ...(await loadStaticFiles(new URL('assets/', webDirectory), forever))])

  // One document; the browser selects the page by the address.
  for (const path of dashboardPages) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      if (!page)
        throw new Problem(
          'not_found',
          'The dashboard is not built. Run npm run build. The API documentation is at /docs.',
        )
      return sendStaticFile(request, reply, page)
    })
  }

  // Browsers request it by default, whatever icon the page declares.
  app.get('/favicon.ico', { schema: { hide: true } }, async (request, reply) =>
    sendStaticFile(request, reply, {
      ...demandAsset(assets, 'favicon.svg'),
      cacheControl: 'public, max-age=86400',
    }),
  )

  app.get(
    '/assets/:file',
    { schema: { hide: true, params: Type.Object({ file: Type.String() }) } },
    async (request, reply) => sendStaticFile(request, reply, demandAsset(assets, request.params.file)),
  )
}

function demandAsset(assets: Map<string, StaticFile>, name: string): StaticFile {
  const asset = assets.get(name)
  if (!asset) throw new Problem('not_found', `There is no file ${quoted(name)}.`)
  return asset
}
