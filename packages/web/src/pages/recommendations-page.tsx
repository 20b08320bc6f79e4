import type { Recommendation } from '@plimsoll/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useBatch, type BatchAsked } from '../api/moves.ts'
import { clustersQuery, recommendationsQuery } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { dollars } from '../format/money.ts'
import { count } from '../format/quantity.ts'
import { Page } from '../parts/page.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { BatchBar, KeyHints } from './recommendations/batch-bar.tsx'
import { Filters } from './recommendations/filters.tsx'
import { NothingFound } from './recommendations/nothing-found.tsx'
import { RecommendationTable } from './recommendations/recommendation-table.tsx'
import { useRowKeys } from './recommendations/row-keys.ts'
import { useSelection } from './recommendations/selection.ts'
import { WithheldDialog } from './recommendations/withheld-dialog.tsx'

export function RecommendationsPage() {
  const search = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate()
  const may = useMay()
  const list = useInfiniteQuery(recommendationsQuery(search))
  const clusters = useQuery(clustersQuery)
  const rows = useMemo(() => list.data?.pages.flatMap((page) => page.recommendations) ?? [], [list.data])
  const selection = useSelection(rows)
  const [current, setCurrent] = useState(0)
  const [isRejecting, setRejecting] = useState(false)
  const [isWithheldOpen, setWithheldOpen] = useState(false)
  const batch = useBatch(selection.clear)
  const targets = selection.ids.length > 0 ? selection.ids : rows.slice(current, current + 1).map(({ id }) => id)
  const mayWrite = may('recommendations:write')
  const act = (asked: Omit<BatchAsked, 'ids'>) => batch.mutate({ ...asked, ids: targets })
  const open = (row: Recommendation) =>
    void navigate({ to: '/recommendations/$id', params: { id: row.id }, search: cluster(search) })

  useEffect(() => setCurrent(0), [search])
  useRowKeys({
    count: rows.length,
    current,
    onMove: setCurrent,
    onOpen: () => rows[current] && open(rows[current]),
    onSelect: (isRange) => mayWrite && rows[current] && selection.toggle(rows[current].id, isRange),
    onApprove: () => mayWrite && targets.length > 0 && act({ action: 'approve' }),
    onReject: () => mayWrite && targets.length > 0 && setRejecting(true),
    onClear: selection.clear,
  })

  const totals = list.data?.pages[0]?.totals
  const shownTotal = totals && statusesOf(search.status).reduce((sum, status) => sum + totals[status].count, 0)
  const estimated =
    totals && statusesOf(search.status).reduce((sum, status) => sum + totals[status].estimated_savings, 0)
  const nameOf = (id: string) => clusters.data?.clusters.find((each) => each.id === id)?.name ?? ''
  return (
    <Page
      title="Recommendations"
      actions={
        <button type="button" className="button" onClick={() => setWithheldOpen(true)}>
          Withheld
        </button>
      }
      sub={
        shownTotal !== undefined && (
          <>
            {count(shownTotal, 'match', 'match')} · <b className="text-ink">{dollars(estimated ?? 0)}/mo</b> estimated
          </>
        )
      }
    >
      {isWithheldOpen && (
        <WithheldDialog clusterId={search.cluster} nameOf={nameOf} onClose={() => setWithheldOpen(false)} />
      )}
      <Filters rows={rows} totals={totals} />
      {list.isError && rows.length === 0 && (
        <Failed error={list.error} what="The list" retry={() => void list.refetch()} />
      )}
      {list.isPending && <Loading rows={12} />}
      {list.isSuccess && rows.length === 0 && <NothingFound />}
      {rows.length > 0 && (
        <RecommendationTable
          rows={rows}
          total={shownTotal ?? rows.length}
          current={current}
          selection={mayWrite ? selection : null}
          nameOf={nameOf}
          onCurrent={setCurrent}
          onOpen={open}
          onEnd={() => list.hasNextPage && !list.isFetchingNextPage && void list.fetchNextPage()}
        />
      )}
      {mayWrite && selection.ids.length > 0 && (
        <BatchBar
          ids={selection.ids}
          isBusy={batch.isPending}
          onApprove={() => act({ action: 'approve' })}
          onApply={may('recommendations:apply') ? () => act({ action: 'apply' }) : undefined}
          onReject={() => setRejecting(true)}
          onClear={selection.clear}
        />
      )}
      {rows.length > 0 && <KeyHints mayWrite={mayWrite} />}
      {isRejecting && (
        <ReasonDialog
          ids={targets.length}
          onClose={() => setRejecting(false)}
          onReject={(reason) => {
            setRejecting(false)
            act({ action: 'reject', reason })
          }}
        />
      )}
    </Page>
  )
}

const cluster = ({ cluster: id }: { cluster?: string }) => (id === undefined ? {} : { cluster: id })

type Status = Recommendation['status']

const statusesOf = (text: string | undefined): Status[] => (text?.split(',') ?? ['pending']) as Status[]
