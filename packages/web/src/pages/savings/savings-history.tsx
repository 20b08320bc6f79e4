import type { RecommendationGroup, Savings } from '@plimsoll/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useClusterName } from '../../api/cluster-name.ts'
import { doneQuery, listAllRecommendations } from '../../api/queries.ts'
import { number } from '../../format/quantity.ts'
import { Segmented } from '../../parts/controls.tsx'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { HistoryState } from '../../url-parameters.ts'
import { historyColumns, historySums, type HistorySums } from './history-columns.tsx'
import { countOf, inOrder, isUndone, historyChoices, historyCsv, stateWord, verificationOf } from './history-rows.ts'

/** Implemented and resolved changes with estimated, observed and realized savings. */
export function SavingsHistory({ cluster, done }: { cluster: string | undefined; done: NonNullable<Savings['done']> }) {
  const total = countOf(done.by_verification, undefined)
  return (
    <Section title="Savings history" meta={`${number(total)} implemented or resolved`}>
      {total === 0 ? <NothingDone /> : <Done cluster={cluster} first={done} groups={done.by_verification} />}
    </Section>
  )
}

const NothingDone = () => (
  <Message
    icon="search"
    title="No implemented recommendations"
    actions={
      <Link to="/recommendations" className="button">
        Review recommendations
      </Link>
    }
  />
)

type First = NonNullable<Savings['done']>
type DoneProps = { cluster: string | undefined; first: First; groups: readonly RecommendationGroup[] }

function Done({ cluster, first, groups }: DoneProps) {
  const nameOf = useClusterName()
  const { state } = useSearch({ from: '/shell/savings' })
  const verification = state === undefined ? undefined : verificationOf(state)
  const filters = { cluster, status: 'implemented,resolved', verification }
  const done = useInfiniteQuery({
    ...doneQuery(filters),
    ...(verification === undefined ? { initialData: { pages: [first], pageParams: [undefined] } } : {}),
  })
  const sheet = async () => historyCsv((await listAllRecommendations(filters)).sort(inOrder), nameOf)
  return (
    <>
      <Meanings />
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <States groups={groups} />
        <DownloadCsv name="savings-history" rows={sheet} />
      </div>
      <QueryState query={done} what="The savings history">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.recommendations).sort(inOrder)
          if (rows.length === 0)
            return (
              <p className="py-2 text-ink-3">
                No {state === undefined ? 'implemented' : stateWord(state).toLowerCase()} changes.
              </p>
            )
          const sums = historySums(rows)
          return (
            <>
              <Table
                isStacked
                label="Savings history"
                columns={historyColumns(nameOf, sums)}
                rows={rows}
                rowKey={({ id }) => id}
                isAlarming={isUndone}
                footer={<Sums sums={sums} isAll={!done.hasNextPage} />}
              />
              {done.hasNextPage && (
                <p className="mt-2 text-sm text-ink-3">
                  The {number(rows.length)} largest of {number(countOf(groups, state))}.{' '}
                  <button
                    type="button"
                    className="link"
                    disabled={done.isFetchingNextPage}
                    onClick={() => void done.fetchNextPage()}
                  >
                    Show more
                  </button>
                </p>
              )}
            </>
          )
        }}
      </QueryState>
    </>
  )
}

/** The verification state as a filter in the URL. */
function States({ groups }: Pick<DoneProps, 'groups'>) {
  const { state } = useSearch({ from: '/shell/savings' })
  const navigate = useNavigate({ from: '/savings' })
  const change = (value: HistoryState | 'all') =>
    void navigate({
      search: ({ state: _before, ...old }) => (value === 'all' ? old : { ...old, state: value }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Segmented label="Verification" value={state ?? 'all'} options={historyChoices(groups, state)} onChange={change} />
  )
}

const meanings = [
  {
    word: 'Estimated',
    meaning: 'value of the freed requests at node prices; for volumes and load balancers, their price.',
  },
  {
    word: 'Bankable',
    meaning:
      'amount by which the bill drops, either when nodes are removed or immediately (volumes, load balancers). It can exceed the estimate, because whole nodes are removed.',
  },
  { word: 'Observed', meaning: 'value of the requests that are freed now, at the same prices.' },
  {
    word: 'Realized',
    meaning: 'observed savings, summed per hour since the change. This is freed capacity, not a lower bill.',
  },
]

/** Definitions of the columns. */
function Meanings() {
  return (
    <dl className="mb-3 grid gap-x-8 gap-y-1 text-sm text-ink-2 mid:grid-cols-2">
      {meanings.map(({ word, meaning }) => (
        <div key={word}>
          <dt className="inline font-semibold">{word}</dt>: <dd className="inline">{meaning}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Totals of the loaded rows only. */
function Sums({ sums, isAll }: { sums: HistorySums; isAll: boolean }) {
  return (
    <tr className="font-semibold">
      <td>{isAll ? 'Total' : 'Total of shown rows'}</td>
      <td />
      <td />
      <td />
      {Object.entries(sums).map(([heading, { total }]) => (
        <td key={heading} className="num" data-heading={heading}>
          {total}
        </td>
      ))}
    </tr>
  )
}
