import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isTooOften } from '../api/ask-again.ts'
import { sessionQuery } from '../api/session.ts'
import { InAMoment } from '../parts/states.tsx'

/** Until it is known who is looking there is nothing to show; whoever has to wait for that sees how long. */
export function OpeningPage() {
  const failure = useSessionFailure()
  if (!isTooOften(failure)) return null
  return (
    <main className="page">
      <h1 className="sr-only">One moment</h1>
      <InAMoment error={failure} what="This page" />
    </main>
  )
}

/** From beside: whoever observes a query and leaves ends its attempts, and the router has to have its answer. */
function useSessionFailure(): Error | null | undefined {
  const queries = useQueryClient()
  return useSyncExternalStore(
    (onChange) => queries.getQueryCache().subscribe(onChange),
    () => queries.getQueryState(sessionQuery.queryKey)?.fetchFailureReason,
  )
}
