import type { Recommendation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { addedUp, type AddedUp } from '../../format/money.ts'
import { verificationWords } from '../../format/words.ts'
import { Bankable } from '../../parts/bankable.tsx'
import { ChangeWords, targetName } from '../../parts/change-words.tsx'
import { Instant } from '../../parts/instant.tsx'
import { State } from '../../parts/marks.tsx'
import type { Column } from '../../parts/table.tsx'
import { doneAt, isUndone } from './ledger-rows.ts'

export const ledgerAmounts = {
  'Estimated $/mo': ({ estimated_savings: saving }: Recommendation) => saving,
  'Bankable $/mo': ({ bankable_savings: saving }: Recommendation) => saving,
  'Observed $/mo': ({ verification_detail: seen }: Recommendation) => seen?.observed_savings ?? null,
  'Realized $': ({ verification_detail: seen }: Recommendation) => seen?.realised_savings ?? null,
}

export type LedgerSums = Record<keyof typeof ledgerAmounts, AddedUp>

/** Each column adds up to its total; an unknown amount counts as nothing. */
export function ledgerSums(rows: readonly Recommendation[]): LedgerSums {
  const sum = (name: keyof typeof ledgerAmounts) => addedUp(rows.map((row) => ledgerAmounts[name](row) ?? 0))
  return {
    'Estimated $/mo': sum('Estimated $/mo'),
    'Bankable $/mo': sum('Bankable $/mo'),
    'Observed $/mo': sum('Observed $/mo'),
    'Realized $': sum('Realized $'),
  }
}

export const ledgerColumns = (nameOf: (clusterId: string) => string, sums: LedgerSums): Column<Recommendation>[] => [
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
  { header: 'Done', className: 'may-wrap', cell: (row) => <Instant at={doneAt(row)} /> },
  { header: 'Advised then', className: 'wrap', cell: ({ change }) => <ChangeWords change={change} /> },
  { header: 'Verification', className: 'may-wrap', cell: (row) => <Verified recommendation={row} /> },
  amountColumn('Estimated $/mo', sums, (_row, amount) => amount),
  amountColumn('Bankable $/mo', sums, (row, amount) => <Bankable of={row}>{amount}</Bankable>),
  amountColumn('Observed $/mo', sums, (row, amount) => <b>{isAwaited(row) ? 'not yet' : amount}</b>),
  amountColumn('Realized $', sums, (_row, amount) => amount),
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

function amountColumn(
  header: keyof LedgerSums,
  sums: LedgerSums,
  draw: (row: Recommendation, amount: string) => ReactNode,
): Column<Recommendation> {
  const shown = (row: Recommendation, index: number) =>
    ledgerAmounts[header](row) === null ? '–' : (sums[header].parts[index] ?? '')
  return { header, align: 'end', cell: (row, index) => draw(row, shown(row, index)) }
}

/** Nothing seen is not the same as nothing saved. */
const isAwaited = ({ verification }: Recommendation) => verification === 'awaiting' || verification === 'not_observed'

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
      {since !== null && tone === 'ok' && (
        <span className="text-ink-3">
          {' '}
          since <Instant at={since} />
        </span>
      )}
    </span>
  )
}

/** What went back may be advised again later, by newer evidence: its figures are others than those of then. */
function Undone({ recommendation }: { recommendation: Recommendation }) {
  const { namespace, workload, cluster_id: cluster, updated_at: at, verification } = recommendation
  return (
    <span className="block max-w-[32ch] text-sm whitespace-normal text-ink-2">
      {verification === 'reverted' ? 'the old values are back' : 'it fails more often'}, seen on <Instant at={at} />
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
