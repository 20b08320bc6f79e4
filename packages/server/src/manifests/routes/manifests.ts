import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { archiveMediaType, type ManifestResult, operations } from '@plimsoll/contract'
import { parseValuesPath, renderManifests } from '@plimsoll/engine/manifests'
import type { FastifyReply } from 'fastify'
import type { Deps } from '../../platform/deps.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { varyWith } from '../../platform/http/vary.ts'
import { presentManifests } from '../present-manifests.ts'
import { namedIds } from '../named-ids.ts'
import { readRequest } from '../read-request.ts'
import { removablePools } from '../removable-pools.ts'
import { writeArchive } from '../../platform/http/write-archive.ts'
import { writeNotes } from '../write-notes.ts'
import { Problem } from '../../platform/http/problem.ts'
import { handle } from '../../platform/http/handle.ts'

export const manifestRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.renderManifests, {
    handler: async (request, reply) => {
      const { format, helm = {}, kustomize = {} } = request.body
      const caller = requestCaller(request)
      const ids = await namedIds(deps, caller, request.body)
      const wanted = await readRequest(deps.db, caller, {
        ids,
        format,
        helm: { valuesPath: readPath(helm.values_path), chart: helm.chart },
        kustomizeBase: kustomize.base?.replace(/\/$/, '') ?? null,
      })
      const removable = await removablePools(deps.db, caller, request.body)
      const result = presentManifests(format, renderManifests({ ...wanted, removable }))
      const wantsArchive =
        request.query.archive === 'tar' || request.headers.accept?.includes(archiveMediaType) === true
      reply.header('vary', varyWith(reply.getHeader('vary'), 'Accept'))
      return wantsArchive ? sendArchive(reply, result) : result
    },
  })
}

/** Bytes bypass the schema, which describes the JSON response. */
function sendArchive(reply: FastifyReply, result: ManifestResult): never {
  if (result.files.length === 0) throw nothingRendered(result)
  const disposition = `attachment; filename="plimsoll-${result.format}.tar.gz"`
  const archive = writeArchive([...result.files, writeNotes(result)])
  return reply.type(archiveMediaType).header('content-disposition', disposition).send(archive) as never
}

/** An empty archive would look like success. */
const nothingRendered = ({ skipped }: ManifestResult) =>
  new Problem('nothing_rendered', 'Every recommendation was skipped. `errors` has the reasons.', {
    errors: skipped.map(({ recommendation_id: id, code, message }) => ({
      pointer: '/recommendation_ids',
      code,
      detail: `${id}: ${message}`,
    })),
  })

function readPath(text: string | undefined): string[] | undefined {
  const path = text === undefined ? undefined : parseValuesPath(text)
  if (text === undefined || path) return path
  const detail = `must be a path such as web.resources, got ${JSON.stringify(text)}`
  throw new Problem('invalid_body', `/helm/values_path: ${detail}.`, {
    errors: [{ pointer: '/helm/values_path', code: 'path', detail }],
  })
}
