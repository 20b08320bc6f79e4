import { useQuery } from '@tanstack/react-query'
import { clustersQuery } from './queries.ts'

/** Recommendations hold the cluster id; the pages show the cluster name. */
export function useClusterName(): (clusterId: string) => string {
  const { data } = useQuery(clustersQuery)
  return (clusterId) => data?.clusters.find(({ id }) => id === clusterId)?.name ?? ''
}
