import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { pickedPeriod, type ExplorerSearch, type OwnerKind, type PeriodSearch } from '../url-parameters.ts'

type Props = {
  kind: OwnerKind
  /** As in the API: a workload is namespace/kind/name. */
  name: string
  cluster?: string | undefined
  /** On pages with a period: the page of the owner shows the same period and clusters. */
  keepsPeriod?: boolean
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

type Search = PeriodSearch & Pick<ExplorerSearch, 'clusters'> & { cluster?: string }

/** The address of the page of an owner, opened from another address. A cluster replaces a filter by clusters. */
export function ownerSearch(
  old: Search,
  { cluster, keepsPeriod }: { cluster: string | undefined; keepsPeriod: boolean },
): Search {
  const chosen = cluster ?? old.cluster
  const clusters = keepsPeriod && chosen === undefined ? old.clusters : undefined
  return {
    ...(chosen === undefined ? {} : { cluster: chosen }),
    ...(clusters === undefined ? {} : { clusters }),
    ...(keepsPeriod ? pickedPeriod(old) : {}),
  }
}

/** Opens the page of a workload, namespace, team or node. */
export function OwnerLink({ kind, name, cluster, keepsPeriod = false, children }: Props) {
  if (!hasOwnerPage(kind, name)) return <span className="font-medium">{children}</span>
  return (
    <Link
      to={paths[kind]}
      params={{ name }}
      search={(old: Search) => ownerSearch(old, { cluster, keepsPeriod })}
      className="font-medium hover:underline"
    >
      {children}
    </Link>
  )
}
