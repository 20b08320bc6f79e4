import type { Recommendation } from '@plimsoll/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useClusterName } from '../../api/cluster-name.ts'
import { recommendationsQuery } from '../../api/queries.ts'
import { dollars, exactDollars } from '../../format/money.ts'
import { Segmented } from '../../parts/controls.tsx'
import { DownloadCsv } from '../../parts/download-csv.tsx'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState } from '../../parts/states.tsx'
import { Table } from '../../parts/table.tsx'
import type { LedgerState } from '../../search.ts'
import { ledgerColumns } from './ledger-columns.tsx'
import { inOrder, isUndone, ledgerChoices, ledgerCsv, stateOf } from './ledger-rows.ts'

/** What was done, what it promised, and what was seen of it. */
export function Ledger({ cluster }: { cluster: string | undefined }) {
  const done = useInfiniteQuery(recommendationsQuery({ cluster, status: 'implemented,resolved' }))
  const nameOf = useClusterName()
  const { state } = useSearch({ from: '/shell/savings' })
  const rows = done.data?.pages.flatMap((page) => page.recommendations) ?? []
  const shown = rows.filter((row) => state === undefined || stateOf(row) === state).sort(inOrder)
  return (
    <Section title="Ledger" meta={done.data && `${rows.length}${done.hasNextPage ? ' largest' : ''} done`}>
      <QueryState query={done} what="The ledger">
        {() => null}
      </QueryState>
      {done.isSuccess && rows.length === 0 && (
        <Message
          icon="search"
          title="Nothing is marked as implemented"
          actions={
            <Link to="/recommendations" className="button">
              Review recommendations
            </Link>
          }
        />
      )}
      {rows.length > 0 && <Meanings />}
      {rows.length > 0 && (
        <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
          <States rows={rows} />
          <DownloadCsv name="savings-ledger" rows={ledgerCsv(shown, nameOf)} />
        </div>
      )}
      {rows.length > 0 && (
        <Table
          isStacked
          label="Ledger"
          columns={ledgerColumns(nameOf)}
          rows={shown}
          rowKey={({ id }) => id}
          isAlarming={isUndone}
          footer={<Sums rows={shown} />}
        />
      )}
    </Section>
  )
}

/** What became of it, as a filter that can be shared. */
function States({ rows }: { rows: readonly Recommendation[] }) {
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
      options={ledgerChoices(rows, state)}
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

function Sums({ rows }: { rows: readonly Recommendation[] }) {
  const sum = (of: (row: Recommendation) => number) => rows.reduce((total, row) => total + of(row), 0)
  const sums = [
    ['Estimated $/mo', dollars(sum(({ estimated_savings: saving }) => saving))],
    ['Bankable $/mo', dollars(sum(({ bankable_savings: saving }) => saving ?? 0))],
    ['Observed $/mo', dollars(sum(({ verification_detail: seen }) => seen?.observed_savings ?? 0))],
    ['Freed so far', exactDollars(sum(({ verification_detail: seen }) => seen?.realised_savings ?? 0))],
  ] as const
  return (
    <tr className="font-semibold">
      <td>Together</td>
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
