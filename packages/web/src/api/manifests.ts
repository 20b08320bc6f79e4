import type { ManifestFormatName } from '@plimsoll/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

/** The limit of the API for one request. */
export const manifestIdsMax = 500

/** The recommendations to render. With their plan step, the answer also has the commands that remove its nodes. */
export type ManifestSource = {
  readonly ids: readonly string[]
  readonly step?: { readonly clusterId: string; readonly stepId: string }
}

const bodyOf = ({ ids, step }: ManifestSource, format: ManifestFormatName) =>
  step && ids.length <= manifestIdsMax
    ? { cluster_id: step.clusterId, step_id: step.stepId, format }
    : { recommendation_ids: ids.slice(0, manifestIdsMax), format }

export const manifestsQuery = (source: ManifestSource, format: ManifestFormatName) =>
  queryOptions({
    queryKey: ['manifests', source.ids, source.step, format],
    queryFn: () => api.renderManifests({ body: bodyOf(source, format) }),
    staleTime: 60_000,
  })

/** The files as a tar archive. */
export async function archiveOf(source: ManifestSource, format: ManifestFormatName): Promise<Blob> {
  const answer = await api.request('renderManifests', { query: { archive: 'tar' }, body: bodyOf(source, format) })
  return answer.blob()
}
