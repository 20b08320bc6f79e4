import type { RecommendationAction } from '@plimsoll/contract'
import type { Move } from '../../api/moves.ts'

type Props = {
  allowed: readonly RecommendationAction[]
  may: (permission: string) => boolean
  onMove: (action: Move) => void
  onReject: () => void
}

/** Only what is possible now and allowed to this person. */
export function Actions({ allowed, may, onMove, onReject }: Props) {
  const can = (action: RecommendationAction) =>
    allowed.includes(action) && may(action === 'apply' ? 'recommendations:apply' : 'recommendations:write')
  return (
    <>
      {can('reopen') && (
        <button type="button" className="button" onClick={() => onMove('reopen')}>
          Reopen
        </button>
      )}
      {can('reject') && (
        <button type="button" className="button" onClick={onReject}>
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
