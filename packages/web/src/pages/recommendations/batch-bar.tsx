import type { Preview } from '@plimsoll/contract'
import { usePreview } from '../../parts/moves.ts'
import { dollars } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { Explained } from '../../parts/explained.tsx'
import { KeyHint } from '../../parts/key-hint.tsx'

type Props = {
  ids: readonly string[]
  isBusy: boolean
  /** Undefined: the user has read access only. */
  onApprove: (() => void) | undefined
  onApply: (() => void) | undefined
  onReject: (() => void) | undefined
  onManifests: () => void
  onClear: () => void
}

/**
 * Shows the savings of the selection. Estimated savings are the sum of the rows, which do not overlap. Bankable savings are
 * computed for the whole selection, because a node is removed only when all of its pods fit elsewhere.
 */
export function BatchBar({ ids, isBusy, onApprove, onApply, onReject, onManifests, onClear }: Props) {
  const { preview, hasFailed } = usePreview(ids)
  const waiting = hasFailed ? 'savings could not be computed' : 'computing …'
  return (
    <div className="floating-bar" role="region" aria-label="Selection">
      <div className="min-w-0">
        <p className="font-semibold max-phone:text-sm">
          <span aria-live="polite" aria-busy={!preview && !hasFailed}>
            {ids.length} selected: {preview ? together(preview, ids.length) : waiting}
          </span>{' '}
          {preview && <Why preview={preview} />}
        </p>
        <p className="truncate text-sm text-ink-3 max-phone:hidden">
          {preview ? reasonsOf(preview)[0] : 'Simulating the scheduler with all selected changes …'}
        </p>
      </div>
      <button type="button" className="button button-quiet" onClick={onClear}>
        Clear <KeyHint>esc</KeyHint>
      </button>
      <div className="bar-actions">
        <button type="button" className="button" onClick={onManifests}>
          Manifests <KeyHint>m</KeyHint>
        </button>
        {onReject && (
          <button type="button" className="button" disabled={isBusy} onClick={onReject}>
            Reject… <KeyHint>r</KeyHint>
          </button>
        )}
        {onApply && (
          <button type="button" className="button" disabled={isBusy} onClick={onApply}>
            <span>
              <span className="max-phone:sr-only">Mark as </span>implemented…
            </span>
          </button>
        )}
        {onApprove && (
          <button type="button" className="button button-primary" disabled={isBusy} onClick={onApprove}>
            Approve {ids.length}
          </button>
        )}
      </div>
    </div>
  )
}

function together(preview: Preview, selected: number): string {
  const { nodes_freed: freed, bankable_savings: bankable, estimated_savings: estimated, recommendations } = preview
  const beside = preview.unattributed_savings ?? 0
  return [
    ...(freed.length > 0 ? [`removes ${count(freed.length, 'node')}`] : []),
    ...(bankable === null ? [] : [`${dollars(bankable + beside)}/month bankable`]),
    `${dollars(estimated)}/month estimated`,
    ...(recommendations < selected ? [`only the first ${recommendations} recommendations are included`] : []),
  ].join(', ')
}

/** Explains the difference to the rows on request; a phone has no space beside the buttons. */
function Why({ preview }: { preview: Preview }) {
  const [why, ...others] = reasonsOf(preview)
  return (
    <Explained
      title="Savings of the selection"
      how={why}
      {...(others.length > 0 && { note: <Reasons all={others} /> })}
    >
      <span className="font-normal">Why?</span>
    </Explained>
  )
}

function Reasons({ all }: { all: readonly string[] }) {
  return (
    <ul className="mt-1 grid gap-1">
      {[...new Set(all)].map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  )
}

const whatIsCounted =
  'Estimated: the sum of the rows. Bankable: the price of the nodes removed if only these changes are applied.'

/** Why the total differs from the rows, and what blocks the removal of nodes. */
function reasonsOf({ blockers, shares_differ_because: why, unattributed_savings: beside }: Preview) {
  const kept = blockers.map((blocker) => `Not removed: ${blocker}`)
  const idle = beside
    ? [
        `${dollars(beside)} of this is unallocated capacity of the removed nodes. It is not part of any single recommendation.`,
      ]
    : []
  const [first = whatIsCounted, ...others] = [...(why === null ? [] : [why]), ...idle, ...kept]
  return [first, ...others] as const
}

const hints: [key: string, what: string, writes: boolean][] = [
  ['j', 'next', false],
  ['k', 'previous', false],
  ['enter', 'open', false],
  ['x', 'select', false],
  ['m', 'manifests', false],
  ['a', 'approve', true],
  ['r', 'reject', true],
  ['/', 'search', false],
]

export function KeyHints({ mayWrite }: { mayWrite: boolean }) {
  return (
    <ul className="key-hints mt-3 text-sm text-ink-3">
      {hints
        .filter(([, , writes]) => mayWrite || !writes)
        .map(([key, what]) => (
          <li key={key} className="flex items-center gap-1.5">
            <kbd className="keycap">{key}</kbd>
            {what}
          </li>
        ))}
    </ul>
  )
}
