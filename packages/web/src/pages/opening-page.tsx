import { useQueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { isTooOften } from '../api/retry.ts'
import { sessionQuery } from '../api/session.ts'
import { InAMoment } from '../parts/states.tsx'

/** Shown while the session loads; shows the wait if the rate limit delays it. */
export function OpeningPage() {
  const failure = useSessionFailure()
  if (!isTooOften(failure)) return null
  return (
    <main className="page">
      <h1 className="sr-only">Loading</h1>
      <InAMoment error={failure} what="This page" />
    </main>
  )
}

/** Reads the cache without observing the query: an observer that unmounts would cancel the retries that the router waits for. */
function useSessionFailure(): Error | null | undefined {
  const queries = useQueryClient()
  return useSyncExternalStore(
    (onChange) => queries.getQueryCache().subscribe(onChange),
    () => queries.getQueryState(sessionQuery.queryKey)?.fetchFailureReason,
  )
}
