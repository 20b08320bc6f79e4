import type { ManifestFormatName, ManifestResult } from '@plimsoll/contract'
import { queryOptions } from '@tanstack/react-query'
import { postForBytes, postJson } from './client.ts'

const path = '/api/v1/gitops/manifests'

/** The API takes as many at once. */
export const manifestIdsMax = 500

const bodyOf = (ids: readonly string[], format: ManifestFormatName) => ({
  recommendation_ids: ids.slice(0, manifestIdsMax),
  format,
})

export const manifestsQuery = (ids: readonly string[], format: ManifestFormatName) =>
  queryOptions({
    queryKey: ['manifests', ids, format],
    queryFn: () => postJson<ManifestResult>(path, bodyOf(ids, format)),
    staleTime: 60_000,
  })

/** The files as a directory. */
export const archiveOf = (ids: readonly string[], format: ManifestFormatName) =>
  postForBytes(`${path}?archive=tar`, bodyOf(ids, format))
