import type { BatchAction, RecommendationAction } from '@plimsoll/contract'

type Props = {
  allowed: readonly RecommendationAction[]
  may: (permission: string) => boolean
  onMove: (action: Exclude<BatchAction, 'reject'>) => void
  onReopen: () => void
  /** Actions that open a dialog first. */
  onAsk: (what: 'reject' | 'snooze') => void
}

/** Only the actions that are possible now and that the user may do. */
export function Actions({ allowed, may, onMove, onReopen, onAsk }: Props) {
  const can = (action: RecommendationAction) =>
    allowed.includes(action) && may(action === 'apply' ? 'recommendations:apply' : 'recommendations:write')
  return (
    <>
      {can('reopen') && (
        <button type="button" className="button" onClick={onReopen}>
          Reopen
        </button>
      )}
      {can('snooze') && (
        <button type="button" className="button" onClick={() => onAsk('snooze')}>
          Snooze…
        </button>
      )}
      {can('reject') && (
        <button type="button" className="button" onClick={() => onAsk('reject')}>
          Reject…
        </button>
      )}
      {can('apply') && (
        <button type="button" className="button" onClick={() => onMove('apply')}>
          Mark as implemented
        </button>
      )}
      {can('approve') && (
        <button type="button" className="button button-primary" onClick={() => onMove('approve')}>
          Approve
        </button>
      )}
    </>
  )
}
