import type { Cluster } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { clustersQuery } from '../api/queries.ts'
import { largestCluster } from './largest-cluster.ts'
import { Message, QueryState } from './states.tsx'

/** Null: the viewer can see no cluster. Undefined: the list of clusters has not loaded. */
export function useShownClusterId(): string | null | undefined {
  const { cluster } = useSearch({ strict: false })
  const { data, isError } = useQuery(clustersQuery)
  if (data === undefined) return isError ? null : undefined
  return shownCluster(data.clusters, cluster).shown?.id ?? null
}

function shownCluster(all: readonly Cluster[], cluster: string | undefined) {
  const picked = all.find(({ id }) => id === cluster)
  return { picked, shown: picked ?? largestCluster(all) }
}

/** For pages about one cluster: the selected cluster, or the most expensive one. */
export function OneCluster({ children }: { children: (clusterId: string) => ReactNode }) {
  const { cluster } = useSearch({ strict: false })
  const clusters = useQuery(clustersQuery)
  return (
    <QueryState query={clusters} what="The list of clusters">
      {({ clusters: all }) => {
        const { picked, shown } = shownCluster(all, cluster)
        if (!shown) return <NoCluster />
        return (
          <>
            {!picked && all.length > 1 && (
              <p className="-mt-2 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2">
                <span>
                  This page shows one cluster at a time. Shown: <b>{shown.name}</b>, the most expensive.
                  {all.length <= othersMax + 1 && ' Switch to:'}
                </span>
                <Others all={all} shown={shown} />
              </p>
            )}
            {children(shown.id)}
          </>
        )
      }}
    </QueryState>
  )
}

const othersMax = 4

/** Links to the other clusters; if there are many, the picker in the top bar. */
function Others({ all, shown }: { all: readonly Cluster[]; shown: Cluster }) {
  const others = all.filter(({ id }) => id !== shown.id)
  if (others.length > othersMax) return <span>Select another cluster in the top bar.</span>
  return others.map(({ id, name }) => (
    <Link key={id} to="." search={(old) => ({ ...old, cluster: id })} className="link">
      {name}
    </Link>
  ))
}

function NoCluster() {
  return (
    <Message
      icon="plus"
      title="No cluster connected"
      actions={
        <Link to="/clusters" className="link">
          Clusters
        </Link>
      }
    />
  )
}
