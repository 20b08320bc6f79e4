import { useQuery } from '@tanstack/react-query'
import { clustersQuery } from './queries.ts'

/** Recommendations know their cluster by its id; people know it by its name. */
export function useClusterName(): (clusterId: string) => string {
  const { data } = useQuery(clustersQuery)
  return (clusterId) => data?.clusters.find(({ id }) => id === clusterId)?.name ?? ''
}
