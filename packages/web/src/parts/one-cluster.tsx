import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { clustersQuery } from '../api/queries.ts'
import { largestCluster } from './largest-cluster.ts'
import { Message, QueryState } from './states.tsx'

/** For what concerns one cluster: the one that was picked, or else the one that costs most. */
export function OneCluster({ children }: { children: (clusterId: string) => ReactNode }) {
  const { cluster } = useSearch({ strict: false })
  const clusters = useQuery(clustersQuery)
  return (
    <QueryState query={clusters} what="The list of clusters">
      {({ clusters: all }) => {
        const picked = all.find(({ id }) => id === cluster)
        const shown = picked ?? largestCluster(all)
        if (!shown) return <NoCluster />
        return (
          <>
            {!picked && all.length > 1 && (
              <p className="-mt-2 mb-4 text-ink-2">
                Of <b>{shown.name}</b>, which costs most: this is told of one cluster at a time. Pick another one at the
                top.
              </p>
            )}
            {children(shown.id)}
          </>
        )
      }}
    </QueryState>
  )
}

function NoCluster() {
  return (
    <Message
      icon="plus"
      title="No cluster is connected yet"
      actions={
        <Link to="/clusters" className="link">
          Clusters
        </Link>
      }
    />
  )
}
