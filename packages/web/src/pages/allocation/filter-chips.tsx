import { Icon } from '../../parts/icon.tsx'
import type { ExplorerChange, ExplorerSearch } from '../../search.ts'
import { AddFilter } from './add-filter.tsx'
import type { FilteredRow, NamedCluster } from './filters.ts'
import { filterNames, filterWords } from './question.ts'

type Props = {
  search: ExplorerSearch
  clusters: readonly NamedCluster[]
  /** Rows of the page, whose names are offered as values. */
  rows?: readonly FilteredRow[]
  onChange: (next: ExplorerChange) => void
}

/** The filters of the address. All must match; the values of one filter are alternatives. */
export function FilterChips({ search, clusters, rows = [], onChange }: Props) {
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm text-ink-3">
      Filter
      {filterNames.map((name) => {
        const value = search[name]
        return value === undefined ? null : (
          <span key={name} className="chip">
            <span className="truncate">
              {filterWords[name]} is{' '}
              <b>{name === 'clusters' ? clusterNames(value, clusters) : value.replaceAll(',', ', ')}</b>
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
      <AddFilter search={search} clusters={clusters} rows={rows} onAdd={onChange} />
    </div>
  )
}

const clusterNames = (ids: string, clusters: readonly NamedCluster[]) =>
  ids
    .split(',')
    .map((id) => clusters.find((cluster) => cluster.id === id)?.name ?? id)
    .join(', ')
