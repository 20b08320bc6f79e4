import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { clustersQuery } from '../api/queries.ts'
import { dollars } from '../format/money.ts'
import { Section } from './section.tsx'
import { Message, QueryState } from './states.tsx'

/** For what concerns one cluster: the one that was picked, the only one there is, or a choice. */
export function OneCluster({ children }: { children: (clusterId: string) => ReactNode }) {
  const { cluster } = useSearch({ strict: false })
  const navigate = useNavigate()
  const clusters = useQuery(clustersQuery)
  return (
    <QueryState query={clusters} what="The list of clusters">
      {({ clusters: all }) => {
        const picked = all.find(({ id }) => id === cluster) ?? (all.length === 1 ? all[0] : undefined)
        if (picked) return children(picked.id)
        if (all.length === 0) {
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
        return (
          <Section title="Which cluster?" meta="this is told of one at a time">
            <ul className="max-w-[480px]">
              {all.map(({ id, name, monthly_cost: cost }) => (
                <li key={id} className="border-b border-rule">
                  <button
                    type="button"
                    className="flex w-full items-center justify-between py-2 text-left hover:underline"
                    onClick={() => void navigate({ to: '.', search: (old) => ({ ...old, cluster: id }) })}
                  >
                    <span className="font-medium">{name}</span>
                    <span className="text-ink-2">{cost !== null && `${dollars(cost)}/mo`}</span>
                  </button>
                </li>
              ))}
            </ul>
          </Section>
        )
      }}
    </QueryState>
  )
}
