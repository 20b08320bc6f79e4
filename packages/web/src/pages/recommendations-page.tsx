import { useNavigate, useSearch } from '@tanstack/react-router'
import { useClusterName } from '../api/cluster-name.ts'
import { useMay } from '../api/session.ts'
import { sumDollars } from '../format/money.ts'
import { number } from '../format/quantity.ts'
import { Page } from '../parts/page.tsx'
import { Failed, Loading } from '../parts/states.tsx'
import { fromList, showsList } from '../url-parameters.ts'
import { PlanPage } from './plan-page.tsx'
import { ViewTabs } from './plan/view-tabs.tsx'
import { KeyHints } from './recommendations/batch-bar.tsx'
import { Batch } from './recommendations/batch.tsx'
import { useCursor } from './recommendations/cursor.ts'
import { Filters } from './recommendations/filters.tsx'
import { groupOf } from './recommendations/group-items.ts'
import { listTotal, type ListTotal } from './recommendations/list-total.ts'
import { NothingFound } from './recommendations/nothing-found.tsx'
import { RecommendationTable } from './recommendations/recommendation-table.tsx'
import { useSelection } from './recommendations/selection.ts'
import { useList, type List } from './recommendations/use-list.ts'
import { Withheld } from './recommendations/withheld.tsx'

/** The plan, or the list if the URL has `view=all` or a filter. */
export function RecommendationsPage() {
  const search = useSearch({ from: '/shell/recommendations' })
  return showsList(search) ? <ListPage /> : <PlanPage />
}

function ListPage() {
  const { view: _list, ...search } = useSearch({ from: '/shell/recommendations' })
  const navigate = useNavigate()
  const may = useMay()
  const nameOf = useClusterName()
  const list = useList(search)
  const selection = useSelection(list.rows)
  const [{ current, isMarked }, setCurrent] = useCursor(list.rows)
  const total = listTotal(list.totals, search.status)
  return (
    <Page
      title="Recommendations"
      hasViews
      sub={total && <Totals total={total} status={search.status} />}
      actions={<Withheld count={list.withheld} clusterId={search.cluster} nameOf={nameOf} />}
    >
      <ViewTabs shown="all" open={total?.count} />
      <Filters totals={list.totals} />
      <StateOf list={list} />
      {list.items.length > 0 && (
        <RecommendationTable
          list={list}
          total={total?.count ?? list.rows.length}
          current={current}
          isMarked={isMarked}
          selection={selection}
          nameOf={nameOf}
          onCurrent={setCurrent}
        />
      )}
      <Batch
        rows={list.rows}
        current={current}
        selection={selection}
        onCurrent={setCurrent}
        onOpen={({ id }) =>
          void navigate({
            to: '/recommendations/$id',
            params: { id },
            search: ({ view: _list, ...old }) => fromList(old, groupOf(list.items, id)),
          })
        }
      />
      {list.rows.length > 0 && <KeyHints mayWrite={may('recommendations:write')} />}
    </Page>
  )
}

function StateOf({ list: { state, items, error, retry } }: { list: List }) {
  if (state === 'failed' && error) return <Failed error={error} what="The list" retry={retry} />
  if (state === 'loading') return <Loading rows={12} />
  return items.length === 0 ? <NothingFound /> : null
}

function Totals({ total, status = 'pending' }: { total: ListTotal; status?: string | undefined }) {
  const word = status === 'pending' ? 'open' : status.replaceAll(',', ' or ')
  return (
    <>
      {number(total.count)} {word} {total.count === 1 ? 'recommendation' : 'recommendations'}
      {total.count > 0 && (
        <>
          {' · '}
          {total.bankable_savings !== null && (
            <>
              <b className="text-ink">{sumDollars(total.bankable_savings)}/month</b> bankable,{' '}
            </>
          )}
          {sumDollars(total.estimated_savings)}/month estimated
        </>
      )}
    </>
  )
}
