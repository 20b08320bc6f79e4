import type { HelmPath, HelmPathList } from '@plimsoll/contract'
import { queryOptions } from '@tanstack/react-query'
import { api, nothingSet } from './client.ts'

/** The key of a container in the Helm path API. */
export type ChartedContainer = Pick<HelmPath, 'cluster_id' | 'namespace' | 'kind' | 'name' | 'container'>

export const helmPathQuery = (of: ChartedContainer) =>
  queryOptions({ queryKey: ['helm-path', of], queryFn: () => findHelmPath(of), staleTime: 60_000 })

/** Lists all paths, because users declare only a few. */
async function findHelmPath(of: ChartedContainer): Promise<HelmPath | null> {
  let cursor: string | null | undefined
  do {
    const query = { cluster_id: of.cluster_id, limit: 500, cursor: cursor ?? undefined }
    const page: HelmPathList = await api.listHelmPaths({ query })
    const own = page.helm_paths.find((each) => isOf(each, of))
    if (own) return own
    cursor = page.next_cursor
  } while (cursor !== null)
  return null
}

const isOf = (each: HelmPath, { namespace, kind, name, container }: ChartedContainer) =>
  each.namespace === namespace && each.kind === kind && each.name === name && each.container === container

/** Null removes the path. */
export const putHelmPath = (of: ChartedContainer, known: HelmPath | null, valuesPath: string | null) =>
  api.setHelmPath({ body: { ...of, values_path: valuesPath }, ifMatch: known?.etag ?? nothingSet })
