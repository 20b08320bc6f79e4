import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { recommendationsQuery } from '../../api/queries.ts'
import { number } from '../../format/quantity.ts'

export type Neighbours = { of: string; previous: string | undefined; next: string | undefined }

/** The previous and next recommendation of a list. */
export function neighboursOf(ids: readonly string[], id: string): Neighbours | undefined {
  const place = ids.indexOf(id)
  return place === -1 ? undefined : { of: id, previous: ids[place - 1], next: ids[place + 1] }
}

/** The list from which the page was opened; its filters are in the URL. */
export function useListFilters() {
  const {
    scale: _scale,
    compare: _compare,
    within: _group,
    ...filters
  } = useSearch({ from: '/shell/recommendations/$id' })
  return filters
}

/** The list, or the group of the list, to step through. */
function useWalkedFilters() {
  const { within } = useSearch({ from: '/shell/recommendations/$id' })
  return { ...useListFilters(), ...within }
}

/** The search stops here, because later rows are seldom opened. */
const pagesMax = 6

/** Why there is no previous or next recommendation. */
export const missingWords = (looked: number, hasMore: boolean) =>
  hasMore ? `Not in the first ${number(looked)} recommendations of the list` : 'No longer in the list'

export type Place = { neighbours: Neighbours | undefined; missing: string | undefined }

/** An approved or rejected recommendation leaves most lists but keeps its neighbours. */
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
