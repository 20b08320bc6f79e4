import type { Recommendation, RecommendationGroup } from '@plimsoll/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useClusterName } from '../../api/cluster-name.ts'
import { groupsQuery, listAllRecommendations, recommendationsQuery } from '../../api/queries.ts'
import { dollars, exactDollars } from '../../format/money.ts'
import { Segmented } from '../../parts/controls.tsx'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { LedgerState } from '../../search.ts'
import { ledgerColumns } from './ledger-columns.tsx'
import { countOf, inOrder, isUndone, ledgerChoices, ledgerCsv, verificationOf } from './ledger-rows.ts'

/** What was done, what it promised, and what was seen of it. */
export function Ledger({ cluster }: { cluster: string | undefined }) {
  const counted = useQuery(groupsQuery({ cluster, status: 'implemented,resolved' }, 'verification'))
  const groups = counted.data?.groups ?? []
  const total = countOf(groups, undefined)
  return (
    <Section title="Ledger" meta={counted.data && `${total.toLocaleString('en-US')} done`}>
      <QueryState query={counted} what="The ledger">
        {() => (total === 0 ? <NothingDone /> : <Done cluster={cluster} groups={groups} />)}
      </QueryState>
    </Section>
  )
}

const NothingDone = () => (
  <Message
    icon="search"
    title="Nothing is marked as implemented"
    actions={
      <Link to="/recommendations" className="button">
        Review recommendations
      </Link>
    }
  />
)

type DoneProps = { cluster: string | undefined; groups: readonly RecommendationGroup[] }

function Done({ cluster, groups }: DoneProps) {
  const nameOf = useClusterName()
  const { state } = useSearch({ from: '/shell/savings' })
  const verification = state === undefined ? undefined : verificationOf(state)
  const filters = { cluster, status: 'implemented,resolved', verification }
  const done = useInfiniteQuery(recommendationsQuery(filters))
  const sheet = async () => ledgerCsv((await listAllRecommendations(filters)).sort(inOrder), nameOf)
  return (
    <>
      <Meanings />
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <States groups={groups} />
        <DownloadCsv name="savings-ledger" rows={sheet} />
      </div>
      <QueryState query={done} what="The ledger">
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.recommendations).sort(inOrder)
          return (
            <>
              <Table
                isStacked
                label="Ledger"
                columns={ledgerColumns(nameOf)}
                rows={rows}
                rowKey={({ id }) => id}
                isAlarming={isUndone}
                footer={<Sums rows={rows} isAll={!done.hasNextPage} />}
              />
              {done.hasNextPage && (
                <p className="mt-2 text-sm text-ink-3">
                  The {rows.length.toLocaleString('en-US')} largest of {countOf(groups, state).toLocaleString('en-US')}.{' '}
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

/** What became of it, as a filter that can be shared. */
function States({ groups }: Pick<DoneProps, 'groups'>) {
  const { state } = useSearch({ from: '/shell/savings' })
  const navigate = useNavigate({ from: '/savings' })
  const change = (value: LedgerState | 'all') =>
    void navigate({
      search: ({ state: _before, ...old }) => (value === 'all' ? old : { ...old, state: value }),
      replace: true,
      resetScroll: false,
    })
  return (
    <Segmented
      label="What became of it"
      value={state ?? 'all'}
      options={ledgerChoices(groups, state)}
      onChange={change}
    />
  )
}

const meanings = [
  {
    word: 'Estimated',
    meaning:
      'what the change was said to save: of requests at the price of their nodes, of volumes and balancers their price.',
  },
  {
    word: 'Bankable',
    meaning:
      'its share of what leaves the bill: requests with the nodes that can go, and those are whole, so it may be more than the estimate; volumes and balancers at once.',
  },
  { word: 'Observed', meaning: 'what is seen of it in the cluster now, at the same prices.' },
  { word: 'Freed so far', meaning: 'the observed, hour by hour since it was done: in room, not on the bill.' },
]

/** For whoever reads these words for the first time; they mean money of different kinds. */
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

/** Only of what is shown: of the others nobody has asked for the figures yet. */
function Sums({ rows, isAll }: { rows: readonly Recommendation[]; isAll: boolean }) {
  const sum = (of: (row: Recommendation) => number) => rows.reduce((total, row) => total + of(row), 0)
  const sums = [
    ['Estimated $/mo', dollars(sum(({ estimated_savings: saving }) => saving))],
    ['Bankable $/mo', dollars(sum(({ bankable_savings: saving }) => saving ?? 0))],
    ['Observed $/mo', dollars(sum(({ verification_detail: seen }) => seen?.observed_savings ?? 0))],
    ['Freed so far', exactDollars(sum(({ verification_detail: seen }) => seen?.realised_savings ?? 0))],
  ] as const
  return (
    <tr className="font-semibold">
      <td>{isAll ? 'Together' : 'These together'}</td>
      <td />
      <td />
      <td />
      {sums.map(([heading, amount]) => (
        <td key={heading} className="num" data-heading={heading}>
          {amount}
        </td>
      ))}
    </tr>
  )
}
