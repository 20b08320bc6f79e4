import type { Recommendation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { Fragment } from 'react'
import { dollars, dollarsOrDash, exactDollars } from '../../format/money.ts'
import { day, utc } from '../../format/time.ts'
import { verificationWords } from '../../format/words.ts'
import { Bankable } from '../../parts/bankable.tsx'
import { ChangeWords, targetName } from '../../parts/change-words.tsx'
import { State } from '../../parts/marks.tsx'
import type { Column } from '../../parts/table.tsx'
import { doneAt, isUndone } from './ledger-rows.ts'

export const ledgerColumns = (nameOf: (clusterId: string) => string): Column<Recommendation>[] => [
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
        {verification === 'reverted' ? 'the old values are back' : 'it fails more often'}, seen on {day(at)}
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
