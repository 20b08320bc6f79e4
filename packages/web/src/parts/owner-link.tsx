import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { OwnerKind } from '../search.ts'

type Props = {
  kind: OwnerKind
  /** As in the API: a workload is namespace/kind/name. */
  name: string
  cluster?: string | undefined
  children: ReactNode
}

const paths = {
  workloads: '/workloads/$name',
  namespaces: '/namespaces/$name',
  teams: '/teams/$name',
  nodes: '/nodes/$name',
} as const satisfies Record<OwnerKind, string>

/** A comma separates the values of a filter, and a workload has three parts without blanks. Agents can send other names. */
export const hasOwnerPage = (kind: OwnerKind, name: string): boolean =>
  kind === 'workloads' ? /^[^/,\s]+(?:\/[^/,\s]+){2}$/.test(name) : name !== '' && !name.includes(',')

/** Opens the page of a workload, namespace, team or node. */
export function OwnerLink({ kind, name, cluster, children }: Props) {
  if (!hasOwnerPage(kind, name)) return <span className="font-medium">{children}</span>
  return (
    <Link
      to={paths[kind]}
      params={{ name }}
      search={(old: { cluster?: string }) => {
        const chosen = cluster ?? old.cluster
        return chosen === undefined ? {} : { cluster: chosen }
      }}
      className="font-medium hover:underline"
    >
      {children}
    </Link>
  )
}
