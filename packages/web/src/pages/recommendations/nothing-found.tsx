import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Message } from '../../parts/states.tsx'

export function NothingFound() {
  const search = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const filters = Object.entries(search).filter(([name]) => name !== 'cluster' && name !== 'sort')
  const inCluster = search.cluster === undefined ? {} : { cluster: search.cluster }
  if (filters.length === 0) {
    return (
      <Message
        icon="check"
        tone="ok"
        title="Nothing worth changing here"
        actions={
          <Link to="/" search={inCluster} className="link">
            Back to the overview
          </Link>
        }
      >
        Either every request fits what it needs, or there is not enough history yet to say so.
      </Message>
    )
  }
  return (
    <Message
      icon="search"
      title="None of the recommendations match"
      actions={
        <button type="button" className="button" onClick={() => void navigate({ search: inCluster })}>
          Clear all filters
        </button>
      }
    >
      {filters.map(([name, value]) => `${name} ${String(value)}`).join(', ')}
    </Message>
  )
}
