import type { Recommendation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import type { MouseEvent as Press } from 'react'
import { withUnits } from '../../format/quantity.ts'
import { span } from '../../format/time.ts'
import { ruleName, stateName, statusLabels, verificationLabels } from '../../format/labels.ts'
import { Bankable, type Saving } from '../../parts/bankable.tsx'
import { ChangeText, targetName } from '../../parts/change-text.tsx'
import { Risk, Severity, State } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'
import { fromList } from '../../url-parameters.ts'
import type { Item, ShownSavings } from './group-items.ts'
import type { Selection } from './selection.ts'

type Props = {
  item: Extract<Item, { kind: 'row' }>
  index: number
  isCurrent: boolean
  selection: Selection
  clusterName: string
  onCurrent: () => void
}

/** Explanations lie above the row link; a middle click on them still opens a new tab. */
function openBeside(event: Press<HTMLElement>): void {
  const { target, currentTarget: row, button, ctrlKey, metaKey } = event
  const link = row.querySelector<HTMLAnchorElement>('a.row-link')
  if (!link || !(button === 1 || ctrlKey || metaKey)) return
  if (!(target instanceof Element && target.closest('.explained'))) return
  event.preventDefault()
  event.stopPropagation()
  open(link.href, '_blank', 'noopener')
}

/** The link covers the whole row; only the checkbox and the explanations lie above it. */
export function RecommendationRow({ item, index, isCurrent, selection, clusterName, onCurrent }: Props) {
  const { row, group, amounts } = item
  const now = useNow(60_000)
  const { main, detail } = targetName(row)
  const isSelected = selection.has(row.id)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      className="rec-row rec-one linked-row"
      data-current={isCurrent}
      onClickCapture={openBeside}
      onAuxClickCapture={openBeside}
    >
      <span role="cell" className="rec-box">
        <input
          type="checkbox"
          className="choice"
          aria-label={`Select ${main}: ${withUnits(row.title)}`}
          checked={isSelected}
          onChange={(event) => selection.toggle(row.id, (event.nativeEvent as MouseEvent).shiftKey)}
          onFocus={onCurrent}
        />
      </span>
      <span role="cell" className="rec-name truncate">
        <Link
          to="/recommendations/$id"
          params={{ id: row.id }}
          search={({ view: _list, ...old }) => fromList(old, group)}
          className="row-link"
          title={withUnits(row.title)}
          onClick={onCurrent}
        >
          {main}
        </Link>{' '}
        <span className="text-ink-3">{detail}</span>
      </span>
      <span role="cell" className="rec-why truncate text-ink-2">
        {ruleName(row)}
        <StateOf row={row} />
      </span>
      <span role="cell" className="rec-change flowing-change">
        <ChangeText of={row} />
      </span>
      <SavingCells of={row} amounts={amounts} />
      <span role="cell" className="rec-severity">
        <Severity name={row.severity} />
      </span>
      <span role="cell" className="rec-risk">
        <Risk level={row.risk} />
      </span>
      <span role="cell" className="rec-confidence text-ink-2">
        {row.confidence}
      </span>
      <span role="cell" className="rec-age text-right text-ink-2">
        {span(now.getTime() - new Date(row.created_at).getTime())}
      </span>
      <span role="cell" className="rec-cluster truncate text-ink-2">
        {clusterName}
      </span>
    </div>
  )
}

/** Bankable and estimated savings. An unknown amount is a dash. */
export function SavingCells({ of: saving, amounts }: { of: Saving; amounts: ShownSavings }) {
  return (
    <>
      <span role="cell" className="rec-bankable text-right font-semibold">
        <Bankable of={saving}>
          {saving.bankable_savings === null ? (
            <span className="font-normal text-ink-3" title="Not computed">
              –
            </span>
          ) : (
            amounts.bankable
          )}
        </Bankable>
      </span>
      <span role="cell" className="rec-estimated text-right text-ink-2">
        {amounts.estimated}
      </span>
    </>
  )
}

function StateOf({ row: { status, verification, unconfirmed_since: unconfirmed } }: { row: Recommendation }) {
  const isUnconfirmed = typeof unconfirmed === 'string'
  if (verification === null && status === 'pending' && !isUnconfirmed) return null
  const { word, tone } = isUnconfirmed
    ? ({ word: 'not confirmed', tone: 'warn' } as const)
    : verification === null
      ? { word: stateName(status), tone: statusLabels[status] }
      : verificationLabels[verification]
  return (
    <>
      {' · '}
      <State tone={tone}>{word}</State>
    </>
  )
}
