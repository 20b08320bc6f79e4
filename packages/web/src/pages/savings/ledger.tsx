import type { Recommendation } from '@plimsoll/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useClusterName } from '../../api/cluster-name.ts'
import { recommendationsQuery } from '../../api/queries.ts'
import { dollars, exactDollars } from '../../format/money.ts'
import { day, utc } from '../../format/time.ts'
import { verificationWords } from '../../format/words.ts'
import { Bankable } from '../../parts/bankable.tsx'
import { ChangeWords, targetName } from '../../parts/change-words.tsx'
import { State } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

/** What was done, what it promised, and what was seen of it. */
export function Ledger({ cluster }: { cluster: string | undefined }) {
  const done = useInfiniteQuery(recommendationsQuery({ cluster, status: 'implemented,resolved' }))
  const nameOf = useClusterName()
  const rows = done.data?.pages.flatMap((page) => page.recommendations) ?? []
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
        <Table
          isStacked
          label="Ledger"
          columns={columns(nameOf)}
          rows={[...rows].sort(inOrder)}
          rowKey={({ id }) => id}
          isAlarming={isUndone}
          footer={<Sums rows={rows} />}
        />
      )}
    </Section>
  )
}

const isUndone = ({ verification }: Recommendation) => verification === 'reverted' || verification === 'regressed'

const doneAt = ({ done_at: done, updated_at: updated }: Recommendation) => done ?? updated

/** What went back stands out: it is the one thing here that needs somebody. Then the newest first. */
const inOrder = (a: Recommendation, b: Recommendation) =>
  Number(isUndone(b)) - Number(isUndone(a)) || doneAt(b).localeCompare(doneAt(a))

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

const columns = (nameOf: (clusterId: string) => string): Column<Recommendation>[] => [
  {
    header: 'Recommendation',
    className: 'may-wrap',
    cell: (row) => (
      <>
        <Link to="/recommendations/$id" params={{ id: row.id }} className="main hover:underline">
          <MayBreak text={targetName(row).main} />
        </Link>
        <span className="block text-sm text-ink-3">{nameOf(row.cluster_id)}</span>
      </>
    ),
  },
  { header: 'Done', cell: (row) => <span title={utc(doneAt(row))}>{day(doneAt(row))}</span> },
  { header: 'Advised then', className: 'wrap', cell: ({ change }) => <ChangeWords change={change} /> },
  { header: 'Verification', className: 'may-wrap', cell: (row) => <Verified recommendation={row} /> },
  { header: 'Estimated $/mo', align: 'end', cell: ({ estimated_savings: saving }) => dollars(saving) },
  {
    header: 'Bankable $/mo',
    align: 'end',
    cell: (row) => <Bankable of={row}>{dollarsOrDash(row.bankable_savings)}</Bankable>,
  },
  { header: 'Observed $/mo', align: 'end', cell: (row) => <b>{observedWords(row)}</b> },
  {
    header: 'Freed so far',
    align: 'end',
    cell: ({ verification_detail: seen }) => (seen === null ? '–' : exactDollars(seen.realised_savings)),
  },
]

/** A long name breaks between its parts. */
const MayBreak = ({ text }: { text: string }) =>
  text.split('/').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && '/'}
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

const dollarsOrDash = (usd: number | null) => (usd === null ? '–' : dollars(usd))

/** Nothing seen is not the same as nothing saved. */
function observedWords({ verification, verification_detail: seen }: Recommendation): string {
  if (verification === 'awaiting' || verification === 'not_observed') return 'not yet'
  return dollarsOrDash(seen?.observed_savings ?? null)
}

function Verified({ recommendation }: { recommendation: Recommendation }) {
  const { verification, verification_detail: seen, status } = recommendation
  if (verification === null) return <State tone="ok">{status === 'resolved' ? 'seen as done' : status}</State>
  const { word, tone } = verificationWords[verification]
  const since = seen?.observed_at ?? null
  return (
    <span title={seen?.message}>
      <State tone={tone} {...(tone === 'danger' ? { icon: 'undo' as const } : {})}>
        {word}
      </State>
      {isUndone(recommendation) && <Undone recommendation={recommendation} />}
      {since !== null && tone === 'ok' && <span className="text-ink-3"> since {day(since)}</span>}
    </span>
  )
}

/** What went back may be advised again later, by newer evidence: its figures are others than those of then. */
function Undone({ recommendation }: { recommendation: Recommendation }) {
  const { namespace, workload, cluster_id: cluster, updated_at: at, verification } = recommendation
  return (
    <span className="block max-w-[32ch] text-sm whitespace-normal text-ink-2">
      <span title={utc(at)}>
        {verification === 'reverted' ? 'the old values are back' : 'it fails more often'} since {day(at)}
      </span>
      {workload !== null && (
        <>
          {': '}
          <Link to="/recommendations" search={{ cluster, namespace, text: workload.name }} className="link">
            what is advised now
          </Link>
        </>
      )}
    </span>
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
