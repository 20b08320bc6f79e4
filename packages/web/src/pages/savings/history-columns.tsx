import type { Recommendation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { Fragment, type ReactNode } from 'react'
import { addedUp, type AddedUp } from '../../format/money.ts'
import { stateName, verificationLabels } from '../../format/labels.ts'
import { Bankable } from '../../parts/bankable.tsx'
import { ChangeText, targetName } from '../../parts/change-text.tsx'
import { Instant } from '../../parts/instant.tsx'
import { State } from '../../parts/state-tags.tsx'
import type { Column } from '../../parts/table.tsx'
import { doneAt, isUndone } from './history-rows.ts'

export const historyAmounts = {
  'Estimated $/month': ({ estimated_savings: saving }: Recommendation) => saving,
  'Bankable $/month': ({ bankable_savings: saving }: Recommendation) => saving,
  'Observed $/month': ({ verification_detail: seen }: Recommendation) => seen?.observed_savings ?? null,
  'Realized $': ({ verification_detail: seen }: Recommendation) => seen?.realised_savings ?? null,
}

export type HistorySums = Record<keyof typeof historyAmounts, AddedUp>

/** Each column adds up to its total; an unknown amount counts as $0. */
export function historySums(rows: readonly Recommendation[]): HistorySums {
  const sum = (name: keyof typeof historyAmounts) => addedUp(rows.map((row) => historyAmounts[name](row) ?? 0))
  return {
    'Estimated $/month': sum('Estimated $/month'),
    'Bankable $/month': sum('Bankable $/month'),
    'Observed $/month': sum('Observed $/month'),
    'Realized $': sum('Realized $'),
  }
}

export const historyColumns = (nameOf: (clusterId: string) => string, sums: HistorySums): Column<Recommendation>[] => [
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
  { header: 'Implemented', className: 'may-wrap', cell: (row) => <Instant at={doneAt(row)} /> },
  { header: 'Change', className: 'wrap', cell: (row) => <ChangeText of={row} /> },
  { header: 'Verification', className: 'may-wrap', cell: (row) => <Verified recommendation={row} /> },
  amountColumn('Estimated $/month', sums, (_row, amount) => amount),
  amountColumn('Bankable $/month', sums, (row, amount) => <Bankable of={row}>{amount}</Bankable>),
  amountColumn('Observed $/month', sums, (row, amount) => <b>{isAwaited(row) ? 'pending' : amount}</b>),
  amountColumn('Realized $', sums, (_row, amount) => amount),
]

/** A long name wraps between its parts. */
const MayBreak = ({ text }: { text: string }) =>
  text.split('/').map((part, index) => (
    <Fragment key={index}>
      {index > 0 && '/'}
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))

function amountColumn(
  header: keyof HistorySums,
  sums: HistorySums,
  draw: (row: Recommendation, amount: string) => ReactNode,
): Column<Recommendation> {
  const shown = (row: Recommendation, index: number) =>
    historyAmounts[header](row) === null ? '–' : (sums[header].parts[index] ?? '')
  return { header, align: 'end', cell: (row, index) => draw(row, shown(row, index)) }
}

/** Not observed is different from $0. */
const isAwaited = ({ verification }: Recommendation) => verification === 'awaiting' || verification === 'not_observed'

function Verified({ recommendation }: { recommendation: Recommendation }) {
  const { verification, verification_detail: seen, status } = recommendation
  if (verification === null) return <State tone="ok">{stateName(status)}</State>
  const { word, tone } = verificationLabels[verification]
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

/** A reverted change may be recommended again with newer evidence and other figures. */
function Undone({ recommendation }: { recommendation: Recommendation }) {
  const { namespace, workload, cluster_id: cluster, updated_at: at, verification } = recommendation
  return (
    <span className="block max-w-[32ch] text-sm whitespace-normal text-ink-2">
      {verification === 'reverted' ? 'Old requests restored' : 'More failures than before'} (observed{' '}
      <Instant at={at} />
      ).
      {workload !== null && (
        <>
          {' '}
          <Link to="/recommendations" search={{ cluster, namespace, text: workload.name }} className="link">
            Show newer recommendation
          </Link>
        </>
      )}
    </span>
  )
}
