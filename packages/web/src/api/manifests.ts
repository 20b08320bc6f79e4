import type { ManifestFormatName } from '@plimsoll/contract'
import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

/** The limit of the API for one request. */
export const manifestIdsMax = 500

const bodyOf = (ids: readonly string[], format: ManifestFormatName) => ({
  recommendation_ids: ids.slice(0, manifestIdsMax),
  format,
})

export const manifestsQuery = (ids: readonly string[], format: ManifestFormatName) =>
  queryOptions({
    queryKey: ['manifests', ids, format],
    queryFn: () => api.renderManifests({ body: bodyOf(ids, format) }),
    staleTime: 60_000,
  })

/** The files as a tar archive. */
export async function archiveOf(ids: readonly string[], format: ManifestFormatName): Promise<Blob> {
  const answer = await api.request('renderManifests', { query: { archive: 'tar' }, body: bodyOf(ids, format) })
  return answer.blob()
}
