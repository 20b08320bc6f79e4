import { useQuery } from '@tanstack/react-query'
import { clustersQuery } from '../../api/queries.ts'
import { Icon } from '../../parts/icon.tsx'
import { useMayOpen } from '../../shell/page-access.ts'
import type { ExplorerChange, ExplorerSearch } from '../../url-parameters.ts'
import { AddFilter } from './add-filter.tsx'
import type { FilteredRow, NamedCluster } from './filters.ts'
import { doesApply, filterNames, filterWords } from './question.ts'

type Props = {
  search: ExplorerSearch
  clusters: readonly NamedCluster[]
  /** The dimensions of the page: a filter that cannot apply to them is not offered. */
  levels: readonly string[]
  /** Rows of the page, whose names are offered as values. */
  rows?: readonly FilteredRow[]
  onChange: (next: ExplorerChange) => void
}

/** The filters of the address. All must match; the values of one filter are alternatives. */
export function FilterChips({ search, clusters: shown, levels, rows = [], onChange }: Props) {
  const mayOpen = useMayOpen()
  // A filtered answer has only the clusters of the filter.
  const { data } = useQuery({ ...clustersQuery, enabled: mayOpen('/clusters') })
  const clusters = data?.clusters ?? shown
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
      Filter
      {filterNames.map((name) => {
        const value = search[name]
        return value === undefined ? null : (
          <span key={name} className={doesApply(name, levels) ? 'chip' : 'chip opacity-60'}>
            <span className="truncate">
              {filterWords[name]} is{' '}
              <b>{name === 'clusters' ? clusterNames(value, clusters) : value.replaceAll(',', ', ')}</b>
              {!doesApply(name, levels) && ', not applied: group by node or node pool first'}
            </span>
            <button
              type="button"
              aria-label={`Remove the filter by ${filterWords[name]}`}
              onClick={() => onChange({ [name]: undefined })}
            >
              <Icon name="cross" />
            </button>
          </span>
        )
      })}
      <AddFilter
        search={search}
        clusters={clusters}
        areAllKnown={data !== undefined}
        levels={levels}
        rows={rows}
        onAdd={onChange}
      />
    </div>
  )
}

const clusterNames = (ids: string, clusters: readonly NamedCluster[]) =>
  ids
    .split(',')
    .map((id) => clusters.find((cluster) => cluster.id === id)?.name ?? id)
    .join(', ')
