import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { recommendationsQuery } from '../../api/queries.ts'
import { number } from '../../format/quantity.ts'

export type Neighbours = { of: string; previous: string | undefined; next: string | undefined }

/** Those before and behind it in a list, if it is there. */
export function neighboursOf(ids: readonly string[], id: string): Neighbours | undefined {
  const place = ids.indexOf(id)
  return place === -1 ? undefined : { of: id, previous: ids[place - 1], next: ids[place + 1] }
}

/** The list that one came from: its filters are in the address. Who came from elsewhere has none. */
export function useListFilters() {
  const {
    scale: _scale,
    compare: _compare,
    within: _group,
    ...filters
  } = useSearch({ from: '/shell/recommendations/$id' })
  return filters
}

/** What is walked through: the list, or the group of it that one came from. */
function useWalkedFilters() {
  const { within } = useSearch({ from: '/shell/recommendations/$id' })
  return { ...useListFilters(), ...within }
}

/** As far as somebody waits for it: what is further down is seldom opened, and its link may be old. */
const pagesMax = 6

/** Why it has no neighbours, where they were looked for in so many. */
export const missingWords = (looked: number, hasMore: boolean) =>
  hasMore ? `Not among the first ${number(looked)} of its list` : 'No longer in its list'

export type Place = { neighbours: Neighbours | undefined; missing: string | undefined }

/** What is approved or rejected leaves most lists: its neighbours are still those that it had there. */
export function usePlace(id: string): Place {
  const filters = useWalkedFilters()
  const isFromList = filters.sort !== undefined
  const { data, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = useInfiniteQuery({
    ...recommendationsQuery(filters),
    enabled: isFromList,
  })
  const ids = useMemo(() => data?.pages.flatMap((page) => page.recommendations.map((row) => row.id)) ?? [], [data])
  const found = isFromList ? neighboursOf(ids, id) : undefined
  const [kept, setKept] = useState(found)
  if (found && (found.of !== kept?.of || found.previous !== kept.previous || found.next !== kept.next)) setKept(found)
  const neighbours = found ?? (kept?.of === id ? kept : undefined)
  const isLast = found !== undefined && found.next === undefined
  const isSought = data !== undefined && neighbours === undefined && data.pages.length < pagesMax
  const mustGoOn = hasNextPage && !isFetchNextPageError && (isLast || isSought)
  useEffect(() => {
    if (mustGoOn && !isFetchingNextPage) void fetchNextPage()
  }, [mustGoOn, isFetchingNextPage, fetchNextPage])
  const isMissing = isFromList && data !== undefined && neighbours === undefined && !mustGoOn
  return { neighbours, missing: isMissing ? missingWords(ids.length, hasNextPage) : undefined }
}
