import type { Recommendation } from '@plimsoll/contract'
import { Link, useSearch } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { dollars } from '../../format/money.ts'
import { span } from '../../format/time.ts'
import { ruleName, statusWords, verificationWords } from '../../format/words.ts'
import { ChangeWords, targetName } from '../../parts/change-words.tsx'
import { Risk, State } from '../../parts/marks.tsx'
import { useNow } from '../../parts/now.ts'
import { SortHeader } from './sort-header.tsx'
import type { Selection } from './selection.ts'

type Props = {
  rows: readonly Recommendation[]
  total: number
  current: number
  /** Null: this person may only look. */
  selection: Selection | null
  nameOf: (clusterId: string) => string
  onCurrent: (index: number) => void
  onOpen: (row: Recommendation) => void
  onEnd: () => void
}

const rowHeight = 33

/** Only what is on the screen is in the page; tens of thousands scroll as well as ten. */
export function RecommendationTable({ rows, total, current, selection, nameOf, onCurrent, onEnd }: Props) {
  const list = useRef<HTMLDivElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0), [])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: top,
    getItemKey: (index) => rows[index]?.id ?? index,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - 50) onEnd()
  }, [lastShown, rows.length, onEnd])
  // The next row is always drawn already; nothing moves while it can be seen.
  useEffect(() => {
    if (current > 0) list.current?.querySelector('[data-current="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  const isAll = selection !== null && selection.ids.length === rows.length
  return (
    <div role="table" aria-label="Recommendations" aria-rowcount={total} className="rec-table">
      <div role="rowgroup">
        <div role="row" className="rec-row rec-head">
          <span role="columnheader" className="rec-box">
            {selection && (
              <input
                type="checkbox"
                className="choice"
                aria-label="Select all that are shown"
                checked={isAll}
                onChange={selection.toggleAll}
              />
            )}
          </span>
          <span role="columnheader">Workload</span>
          <span role="columnheader" className="rec-why">
            Why
          </span>
          <span role="columnheader" className="rec-change">
            Change
          </span>
          <SortHeader field="bankable_savings" word="Bankable $/mo" />
          <SortHeader field="estimated_savings" word="Estimated" />
          <span role="columnheader" className="rec-risk">
            Risk
          </span>
          <span role="columnheader" className="rec-confidence">
            Confidence
          </span>
          <span role="columnheader" className="rec-age text-right">
            Age
          </span>
          <span role="columnheader" className="rec-cluster">
            Cluster
          </span>
        </div>
      </div>
      <div ref={list} role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
        {items.map((item) => {
          const row = rows[item.index]
          if (!row) return null
          return (
            <Row
              key={item.key}
              row={row}
              index={item.index}
              offset={item.start - virtual.options.scrollMargin}
              isCurrent={item.index === current}
              selection={selection}
              clusterName={nameOf(row.cluster_id)}
              onCurrent={onCurrent}
            />
          )
        })}
      </div>
    </div>
  )
}

type RowProps = Pick<Props, 'selection' | 'onCurrent'> & {
  row: Recommendation
  index: number
  offset: number
  isCurrent: boolean
  clusterName: string
}

function Row({ row, index, offset, isCurrent, selection, clusterName, onCurrent }: RowProps) {
  const now = useNow(60_000)
  const search = useSearch({ from: '/shell/recommendations' })
  const { main, detail } = targetName(row)
  const isSelected = selection?.has(row.id) === true
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className="rec-row"
      data-current={isCurrent}
      style={{ transform: `translateY(${offset}px)` }}
    >
      <span role="cell" className="rec-box">
        {selection && (
          <input
            type="checkbox"
            className="choice"
            aria-label={`Select ${main}`}
            checked={isSelected}
            onChange={(event) => selection.toggle(row.id, (event.nativeEvent as MouseEvent).shiftKey)}
            onFocus={() => onCurrent(index)}
          />
        )}
      </span>
      <span role="cell" className="truncate">
        <Link
          to="/recommendations/$id"
          params={{ id: row.id }}
          search={search.cluster === undefined ? {} : { cluster: search.cluster }}
          className="font-medium hover:underline"
          title={row.title}
        >
          {main}
        </Link>{' '}
        <span className="text-ink-3">{detail}</span>
      </span>
      <span role="cell" className="rec-why truncate text-ink-2" title={row.title}>
        {ruleName(row.rule_id)}
        <StateOf row={row} />
      </span>
      <span role="cell" className="rec-change truncate" title={row.change.summary}>
        <ChangeWords change={row.change} />
      </span>
      <span role="cell" className="text-right font-semibold">
        {row.bankable_savings === null ? (
          <span className="font-normal text-ink-3" title="Not computed: the scheduler has not been run with it">
            –
          </span>
        ) : (
          dollars(row.bankable_savings)
        )}
      </span>
      <span role="cell" className="text-right text-ink-2">
        {dollars(row.estimated_savings)}
      </span>
      <span role="cell" className="rec-risk">
        <Risk level={row.risk} />
      </span>
      <span role="cell" className="rec-confidence text-ink-2">
        {row.confidence}
      </span>
      <span role="cell" className="rec-age text-right text-ink-2">
        {span(now.getTime() - new Date(row.created_at).getTime())}
      </span>
      <span role="cell" className="rec-cluster truncate text-ink-2">
        {clusterName}
      </span>
    </div>
  )
}

function StateOf({ row: { status, verification } }: { row: Recommendation }) {
  if (verification !== null) {
    const { word, tone } = verificationWords[verification]
    return (
      <>
        {' · '}
        <State tone={tone}>{word}</State>
      </>
    )
  }
  if (status === 'pending') return null
  return (
    <>
      {' · '}
      <State tone={statusWords[status]}>{status}</State>
    </>
  )
}
