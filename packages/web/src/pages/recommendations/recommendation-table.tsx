import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useMediaQuery } from '../../parts/use-media-query.ts'
import type { Item } from './group-items.ts'
import { GroupRow, MoreRow, QuietRow, RestRow } from './group-row.tsx'
import { RecommendationRow } from './recommendation-row.tsx'
import type { Selection } from './selection.ts'
import { TableHead } from './table-head.tsx'
import type { List } from './use-list.ts'

type Props = {
  list: List
  total: number
  current: number
  /** The current row has a mark. */
  isMarked: boolean
  selection: Selection
  nameOf: (clusterId: string) => string
  onCurrent: (index: number) => void
}

type Heights = Record<Item['kind'], number>

/** As in the style sheet: two lines on narrow screens, a card on a phone. */
const narrow = matchMedia('(max-width: 1330px)')
const phone = matchMedia('(max-width: 600px)')
const paper = matchMedia('print')
const inOneLine: Heights = { row: 33, group: 37, quiet: 37, more: 33, rest: 37 }
const inTwoLines: Heights = { ...inOneLine, row: 54 }
const asCards: Heights = { row: 92, group: 54, quiet: 54, more: 54, rest: 54 }

const unplaced = ({ key }: Item, index: number) => ({ index, key, start: 0 })

/** Renders only the visible rows; print renders all loaded rows. */
export function RecommendationTable({ list, total, current, isMarked, selection, nameOf, onCurrent }: Props) {
  const { items, rows } = list
  const body = useRef<HTMLDivElement>(null)
  const virtual = useVisible(items, body)
  const isPrinted = useMediaQuery(paper)
  const shown = isPrinted ? items.map(unplaced) : virtual.getVirtualItems()
  const isNearEnd = (shown.at(-1)?.index ?? 0) >= items.length - 50
  useEffect(() => {
    if (isNearEnd && !isPrinted) list.loadMore()
  }, [isNearEnd, isPrinted, list])
  // Scrolls only if the current row is not visible.
  useEffect(() => {
    if (current > 0) body.current?.querySelector('[data-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const draw = (item: Item, index: number) => {
    if (item.kind === 'group') return <GroupRow item={item} nameOf={nameOf} onToggle={() => list.toggle(item.key)} />
    if (item.kind === 'quiet') return <QuietRow item={item} onToggle={() => list.toggle(item.key)} />
    if (item.kind === 'more') return <MoreRow item={item} />
    if (item.kind === 'rest') return <RestRow item={item} />
    const { row, place } = item
    return (
      <RecommendationRow
        item={item}
        index={index}
        isCurrent={isMarked && place === current}
        selection={selection}
        clusterName={nameOf(row.cluster_id)}
        onCurrent={() => onCurrent(place)}
      />
    )
  }
  // While all groups are closed, most columns are empty.
  const isBare = rows.length === 0
  return (
    <div role="table" aria-label="Recommendations" aria-rowcount={total + 1} className={isBare ? 'rec-bare' : ''}>
      <TableHead selection={selection} isBare={isBare} isAll={!isBare && selection.ids.length === rows.length} />
      <div ref={body} role="rowgroup" className="relative" style={isPrinted ? {} : { height: virtual.getTotalSize() }}>
        {shown.map(({ index, key, start }) => {
          const item = items[index]
          if (!item) return null
          const offset = start - virtual.options.scrollMargin
          return (
            <div key={key} role="presentation" className="rec-place" style={{ transform: `translateY(${offset}px)` }}>
              {draw(item, index)}
            </div>
          )
        })}
      </div>
    </div>
  )
}

function useVisible(items: readonly Item[], body: RefObject<HTMLDivElement | null>) {
  const [top, setTop] = useState(0)
  const heights = useHeights()
  useLayoutEffect(() => setTop(body.current?.offsetTop ?? 0), [body])
  const virtual = useWindowVirtualizer({
    count: items.length,
    estimateSize: (index) => heights[items[index]?.kind ?? 'row'],
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => items[index]?.key ?? index,
  })
  // Measured heights are cached, so a new width or list needs a new measurement.
  useLayoutEffect(() => virtual.measure(), [virtual, heights, items])
  return virtual
}

function useHeights(): Heights {
  const isNarrow = useMediaQuery(narrow)
  const isPhone = useMediaQuery(phone)
  if (isPhone) return asCards
  return isNarrow ? inTwoLines : inOneLine
}
