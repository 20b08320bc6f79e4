import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Message } from '../../parts/states.tsx'
import { useMayOpen } from '../../shell/page-access.ts'

export function NothingFound() {
  const search = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate({ from: '/recommendations' })
  const mayOpen = useMayOpen()
  const filters = Object.entries(search).filter(([name]) => name !== 'cluster' && name !== 'sort')
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
                  Back to the overview
                </Link>
              ),
            }
          : {})}
      >
        Either every request fits its usage, or there is too little history to say so. Withheld advice has the reasons.
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
