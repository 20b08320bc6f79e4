import type { Recommendation, Savings } from '@plimsoll/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useClusterName } from '../api/cluster-name.ts'
import { recommendationsQuery, savingsQuery } from '../api/queries.ts'
import { dollars, exactDollars } from '../format/money.ts'
import { date } from '../format/time.ts'
import { verificationWords } from '../format/words.ts'
import { ChangeWords, targetName } from '../parts/change-words.tsx'
import { Explained } from '../parts/explained.tsx'
import { State } from '../parts/marks.tsx'
import { Page } from '../parts/page.tsx'
import { Section } from '../parts/section.tsx'
import { Failed, Loading, Message, QueryState } from '../parts/states.tsx'
import { Table, type Column } from '../parts/table.tsx'

export function SavingsPage() {
  const { cluster } = useSearch({ from: '/shell/savings' })
  const savings = useQuery(savingsQuery(cluster))
  return (
    <Page title="Savings" sub="only what was observed is counted">
      <div className="grid gap-6">
        <QueryState query={savings} what="The ledger">
          {(known) => (
            <div className="grid gap-x-8 gap-y-6 wide:grid-cols-2">
              <Funnel savings={known} />
              <ByMonth savings={known} />
            </div>
          )}
        </QueryState>
        <Ledger cluster={cluster} />
      </div>
    </Page>
  )
}

const stages = [
  ['estimated', 'Estimated', 'A month, of all that was found'],
  ['approved', 'Approved', 'A month, of what somebody approved and nobody rejected since'],
  ['implemented', 'Implemented', 'A month, of what somebody marked as done'],
] as const

/** From advice to money. What is verified is money of so many hours, not of a month, so it has no bar beside the others. */
function Funnel({ savings: { total, from, to } }: { savings: Savings }) {
  const max = Math.max(total.estimated, 1)
  return (
    <Section title="From advice to money" meta={`${from} to ${to}`}>
      <ul className="grid gap-2.5">
        {stages.map(([key, word, how]) => (
          <li key={key}>
            <p className="flex items-baseline gap-3">
              <span className="w-28">{word}</span>
              <b>
                <Explained title={`${word}, ${exactDollars(total[key])} a month`} how={how}>
                  {dollars(total[key])}/mo
                </Explained>
              </b>
            </p>
            <div className="mt-0.5 h-3 bg-sunken" aria-hidden="true">
              <div className="h-full bg-[var(--unasked)]" style={{ width: `${(100 * total[key]) / max}%` }} />
            </div>
          </li>
        ))}
      </ul>
      <p className="mt-3 flex items-baseline gap-3">
        <span className="w-28">Verified</span>
        <b>
          <Explained
            title={`Verified, ${exactDollars(total.verified)} so far`}
            how="What was observed to be saved, hour by hour, while each change lasts: dollars that were saved, not dollars a month"
          >
            {dollars(total.verified)} saved so far
          </Explained>
        </b>
      </p>
      {total.reverted > 0 && (
        <p className="mt-3">
          <State tone="danger" icon="undo">
            {dollars(total.reverted)}/mo was undone again
          </State>
        </p>
      )}
    </Section>
  )
}

type Month = Savings['rows'][number]

const months: Column<Month>[] = [
  { header: 'Month', cell: ({ month }) => month },
  { header: 'Found $/mo', align: 'end', cell: ({ estimated }) => dollars(estimated) },
  { header: 'Approved $/mo', align: 'end', cell: ({ approved }) => dollars(approved) },
  { header: 'Implemented $/mo', align: 'end', cell: ({ implemented }) => dollars(implemented) },
  { header: 'Done without us $/mo', align: 'end', cell: ({ resolved }) => dollars(resolved) },
  { header: 'Verified $', align: 'end', cell: ({ verified }) => <b>{dollars(verified)}</b> },
]

function ByMonth({ savings }: { savings: Savings }) {
  const rows = savings.rows.filter((row) => Object.values(row).some((value) => typeof value === 'number' && value > 0))
  return (
    <Section title="By month">
      {rows.length === 0 ? (
        <Message icon="clock" title="Nothing has been saved yet">
          What is marked as implemented is verified by the next snapshots of its cluster, and counted from then on.
        </Message>
      ) : (
        <Table isStacked label="Savings by month" columns={months} rows={rows} rowKey={({ month = '' }) => month} />
      )}
    </Section>
  )
}

function Ledger({ cluster }: { cluster: string | undefined }) {
  const done = useInfiniteQuery(recommendationsQuery({ cluster, status: 'implemented,resolved' }))
  const nameOf = useClusterName()
  const rows = done.data?.pages.flatMap((page) => page.recommendations) ?? []
  // What went back stands out: it is the one thing here that needs somebody.
  const sorted = [...rows].sort((a, b) => Number(isUndone(b)) - Number(isUndone(a)))
  const columns: Column<Recommendation>[] = [
    { header: 'Since', cell: ({ updated_at: at }) => date(at) },
    {
      header: 'Recommendation',
      cell: (row) => (
        <Link to="/recommendations/$id" params={{ id: row.id }} className="main hover:underline">
          {targetName(row).main}
        </Link>
      ),
    },
    { header: 'Change', className: 'wrap', cell: ({ change }) => <ChangeWords change={change} /> },
    { header: 'Cluster', cell: ({ cluster_id: id }) => nameOf(id) },
    {
      header: 'Verification',
      cell: ({ verification, status }) => <Verified verification={verification} status={status} />,
    },
    { header: 'Estimated $/mo', align: 'end', cell: ({ estimated_savings: saving }) => dollars(saving) },
  ]
  return (
    <Section title="Ledger" meta={`${rows.length} done`}>
      {done.isPending && <Loading />}
      {done.isError && <Failed error={done.error} what="The ledger" retry={() => void done.refetch()} />}
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
      {rows.length > 0 && (
        <Table isStacked label="Ledger" columns={columns} rows={sorted} rowKey={({ id }) => id} isAlarming={isUndone} />
      )}
    </Section>
  )
}

const isUndone = ({ verification }: Recommendation) => verification === 'reverted' || verification === 'regressed'

function Verified({ verification, status }: Pick<Recommendation, 'verification' | 'status'>) {
  if (verification === null) return <State tone="ok">{status === 'resolved' ? 'seen as done' : status}</State>
  const { word, tone } = verificationWords[verification]
  return (
    <State tone={tone} {...(tone === 'danger' ? { icon: 'undo' as const } : {})}>
      {word}
    </State>
  )
}
