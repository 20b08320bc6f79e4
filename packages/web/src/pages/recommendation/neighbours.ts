import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { recommendationsQuery } from '../../api/queries.ts'

export type Neighbours = { of: string; previous: string | undefined; next: string | undefined }

/** Those before and behind it in a list, if it is there. */
export function neighboursOf(ids: readonly string[], id: string): Neighbours | undefined {
  const place = ids.indexOf(id)
  return place === -1 ? undefined : { of: id, previous: ids[place - 1], next: ids[place + 1] }
}

/** The list that one came from: its filters are in the address. Who came from elsewhere has none. */
export function useListFilters() {
  const { scale: _scale, compare: _compare, ...filters } = useSearch({ from: '/shell/recommendations/$id' })
  return filters
}

/** What is approved or rejected leaves most lists: its neighbours are still those that it had there. */
export function useNeighbours(id: string): Neighbours | undefined {
  const filters = useListFilters()
  const isFromList = filters.sort !== undefined
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    ...recommendationsQuery(filters),
    enabled: isFromList,
  })
  const ids = useMemo(() => data?.pages.flatMap((page) => page.recommendations.map((row) => row.id)) ?? [], [data])
  const found = isFromList ? neighboursOf(ids, id) : undefined
  const [kept, setKept] = useState(found)
  if (found && (found.of !== kept?.of || found.previous !== kept.previous || found.next !== kept.next)) setKept(found)
  const isLast = found !== undefined && found.next === undefined
  useEffect(() => {
    if (isLast && hasNextPage) void fetchNextPage()
  }, [isLast, hasNextPage, fetchNextPage])
  return found ?? (kept?.of === id ? kept : undefined)
}
