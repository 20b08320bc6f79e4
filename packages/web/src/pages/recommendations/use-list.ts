import type { Recommendation, RecommendationGrouping, RecommendationList } from '@plimsoll/contract'
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { groupRowsQuery, groupsQuery, recommendationsQuery } from '../../api/queries.ts'
import type { RecommendationFilters } from '../../url-parameters.ts'
import { foldQuiet, groupItems, keyOf, toItems, type Item } from './group-items.ts'
import { listTotal } from './list-total.ts'

export const groupings = ['cluster', 'namespace', 'workload', 'rule'] as const satisfies RecommendationGrouping[]

export type List = {
  items: readonly Item[]
  /** The recommendations among the items, in the same order. */
  rows: readonly Recommendation[]
  totals: RecommendationList['totals'] | undefined
  /** The number of withheld recommendations; undefined until loaded. */
  withheld: number | undefined
  state: 'loading' | 'failed' | 'known'
  error: Error | null
  retry: () => void
  loadMore: () => void
  toggle: (key: string) => void
}

/** All matches, page by page; or groups, whose rows load when opened. */
export function useList(filters: RecommendationFilters): List {
  const by = groupings.find((each) => each === filters.group)
  const list = useInfiniteQuery({ ...recommendationsQuery(filters), enabled: by === undefined })
  const grouped = useGroups(filters, by)
  const { status, rule } = filters
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const flat = useMemo(() => {
    const pages = list.data?.pages ?? []
    const all = toItems(
      pages.flatMap((page) => page.recommendations),
      listTotal(pages[0]?.totals, status),
    )
    // The user opened the rows of one rule.
    return rule === undefined ? foldQuiet(all, opened) : all
  }, [list.data, status, rule, opened])
  const items = by === undefined ? flat : grouped.items
  const query = by === undefined ? list : grouped.query
  return {
    items,
    rows: useMemo(() => items.flatMap((item) => (item.kind === 'row' ? [item.row] : [])), [items]),
    totals: (by === undefined ? list.data?.pages[0] : grouped.query.data)?.totals,
    withheld: (by === undefined ? list.data?.pages[0] : grouped.query.data)?.withheld,
    state: query.isError && items.length === 0 ? 'failed' : query.isPending ? 'loading' : 'known',
    error: query.error,
    retry: () => void query.refetch(),
    loadMore: () => {
      if (by === undefined && list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
    },
    toggle: by === undefined ? (key) => setOpened(toggled(opened, key)) : grouped.toggle,
  }
}

function useGroups(filters: RecommendationFilters, by: RecommendationGrouping | undefined) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const query = useQuery({ ...groupsQuery(filters, by ?? 'rule'), enabled: by !== undefined })
  const known = by === undefined ? undefined : query.data
  const opened = known?.groups.filter((group) => open.has(keyOf(group))) ?? []
  const lists = useQueries({ queries: opened.map((group) => groupRowsQuery(filters, group)) })
  const items = known ? groupItems(known, open, (group) => lists[opened.indexOf(group)]?.data?.recommendations) : []
  return { query, items, toggle: (key: string) => setOpen(toggled(open, key)) }
}

function toggled(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(open)
  if (!next.delete(key)) next.add(key)
  return next
}
