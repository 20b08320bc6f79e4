import type { RecommendationAction } from '@plimsoll/contract'

type Props = {
  allowed: readonly RecommendationAction[]
  may: (permission: string) => boolean
  isImplemented: boolean
  onApprove: () => void
  onReopen: () => void
  onWithdraw: () => void
  /** Actions that open a dialog first. */
  onAsk: (what: 'reject' | 'snooze' | 'apply') => void
}

/** Only the actions that are possible now and that the user may do. */
export function Actions({ allowed, may, isImplemented, onApprove, onReopen, onWithdraw, onAsk }: Props) {
  const can = (action: RecommendationAction) =>
    allowed.includes(action) && may(action === 'apply' ? 'recommendations:apply' : 'recommendations:write')
  return (
    <>
      {can('reopen') && (
        <button type="button" className="button" onClick={onReopen}>
          Reopen
        </button>
      )}
      {can('withdraw') && (
        <button type="button" className="button" onClick={onWithdraw}>
          {isImplemented ? 'Mark as not implemented' : 'Withdraw approval'}
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
        <button type="button" className="button" onClick={() => onAsk('apply')}>
          Mark as implemented…
        </button>
      )}
      {can('approve') && (
        <button type="button" className="button button-primary max-phone:order-first" onClick={onApprove}>
          Approve
        </button>
      )}
    </>
  )
}
