import type { ExplorerChange, ExplorerSearch } from '../../url-parameters.ts'
import type { FilterName } from './question.ts'

const dimensionOf: Record<FilterName, string> = {
  clusters: 'cluster',
  namespace: 'namespace',
  team: 'team',
  label: 'label',
  workload: 'workload',
  kind: 'controller_kind',
  pool: 'node_pool',
}

export type NamedCluster = { id: string; name: string }
export type FilteredRow = { names: Record<string, string>; rows?: readonly FilteredRow[] }

/** Names for the field, from the rows on the page. */
export function knownNames(
  name: FilterName,
  clusters: readonly NamedCluster[],
  shown: readonly FilteredRow[],
): string[] {
  if (name === 'clusters') return clusters.map((cluster) => cluster.name)
  const rows = shown.flatMap((row) => [row, ...(row.rows ?? [])])
  const dimension = dimensionOf[name]
  const names = rows.flatMap((row) =>
    name === 'label'
      ? Object.entries(row.names).flatMap(([key, value]) =>
          key.startsWith('label:') ? [`${key.slice('label:'.length)}=${value}`] : [],
        )
      : (row.names[dimension] ?? []),
  )
  return [...new Set(names)].filter((each) => !each.startsWith('__')).slice(0, 200)
}

type Entered = { name: FilterName; text: string }

const valuesIn = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

const clusterOf = (text: string, clusters: readonly NamedCluster[]) =>
  clusters.find(({ id, name }) => name === text || id === text)

/** Entered clusters that do not exist. */
export const unknownClusters = ({ name, text }: Entered, clusters: readonly NamedCluster[]): string[] =>
  name === 'clusters' ? valuesIn(text).filter((each) => !clusterOf(each, clusters)) : []

/** Null if nothing was entered. Clusters are entered by name and kept by id. */
export function withFilter(
  search: ExplorerSearch,
  { name, text }: Entered,
  clusters: readonly NamedCluster[],
): ExplorerChange | null {
  const entered = valuesIn(text)
  const values = name === 'clusters' ? entered.map((each) => clusterOf(each, clusters)?.id ?? each) : entered
  if (values.length === 0) return null
  const known = search[name]?.split(',') ?? []
  return { [name]: [...new Set([...known, ...values])].join(',') }
}
