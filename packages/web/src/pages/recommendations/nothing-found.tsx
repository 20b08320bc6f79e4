import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Message } from '../../parts/states.tsx'
import { useMayOpen } from '../../shell/page-access.ts'

const filterWords: Record<string, string> = {
  category: 'Category',
  group: 'Grouped by',
  min: 'Minimum savings, $/month:',
  namespace: 'Namespace',
  risk: 'Risk',
  rule: 'Rule',
  status: 'Status',
  text: 'Name contains',
  workload: 'Workload',
}

export function NothingFound() {
  const search = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const mayOpen = useMayOpen()
  const filters = Object.entries(search).filter(
    ([name, value]) => value !== undefined && !['cluster', 'sort', 'view'].includes(name),
  )
  const inCluster = search.cluster === undefined ? {} : { cluster: search.cluster }
  if (filters.length === 0) {
    return (
      <Message
        icon="search"
        title="No open recommendations"
        {...(mayOpen('/')
          ? {
              actions: (
                <Link to="/" search={inCluster} className="link">
                  Open overview
                </Link>
              ),
            }
          : {})}
      >
        No rule found savings, or the usage history is too short. Open Withheld to see the reasons.
      </Message>
    )
  }
  return (
    <Message
      icon="search"
      title="No recommendations match the filters"
      actions={
        <button
          type="button"
          className="button"
          onClick={() => void navigate({ search: { ...inCluster, view: 'all' } })}
        >
          Clear all filters
        </button>
      }
    >
      {filters.map(([name, value]) => `${filterWords[name] ?? name} “${String(value)}”`).join(', ')}
    </Message>
  )
}
