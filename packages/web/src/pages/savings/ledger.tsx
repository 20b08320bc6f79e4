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
import type { LedgerState } from '../../search.ts'
import { ledgerColumns, ledgerSums, type LedgerSums } from './ledger-columns.tsx'
import { countOf, inOrder, isUndone, ledgerChoices, ledgerCsv, verificationOf } from './ledger-rows.ts'

/** What was done, what it promised, and what was seen of it. */
export function Ledger({ cluster, done }: { cluster: string | undefined; done: NonNullable<Savings['done']> }) {
  const total = countOf(done.by_verification, undefined)
  return (
    <Section title="Ledger" meta={`${number(total)} done`}>
      {total === 0 ? <NothingDone /> : <Done cluster={cluster} first={done} groups={done.by_verification} />}
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
          const sums = ledgerSums(rows)
          return (
            <>
              <Table
                isStacked
                label="Ledger"
                columns={ledgerColumns(nameOf, sums)}
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
  {
    word: 'Realized',
    meaning: 'the observed savings, hour by hour since the change: freed capacity, not a lower bill.',
  },
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
function Sums({ sums, isAll }: { sums: LedgerSums; isAll: boolean }) {
  return (
    <tr className="font-semibold">
      <td>{isAll ? 'Total' : 'Total of these'}</td>
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
