import { useState } from 'react'
import type { ShownStep } from '../../api/shown-plan.ts'
import { useMoveStep } from '../../api/moves.ts'
import { ReasonDialog } from '../../parts/reason-dialog.tsx'
import { ManifestDialog } from '../manifests/manifest-dialog.tsx'

type Props = { step: ShownStep; isNext: boolean }

/** Only the actions that are possible now and that the user may do. */
export function StepActions({ step, isNext }: Props) {
  const [asking, setAsking] = useState<'reason' | 'manifests' | null>(null)
  const close = () => setAsking(null)
  const move = useMoveStep()
  const key = { clusterId: step.cluster_id, stepId: step.id }
  const can = (action: ShownStep['allowed_actions'][number]) => step.allowed_actions.includes(action)
  const open = step.recommendations.filter(({ status }) => status === 'pending' || status === 'approved')
  return (
    <div className="step-actions">
      {can('approve') && (
        <button
          type="button"
          className={`button ${isNext ? 'button-primary' : ''}`}
          disabled={move.isPending}
          onClick={() => move.mutate({ ...key, action: 'approve' })}
        >
          Approve step
        </button>
      )}
      {can('withdraw') && !can('approve') && (
        <button
          type="button"
          className="button"
          disabled={move.isPending}
          onClick={() => move.mutate({ ...key, action: 'withdraw' })}
        >
          Withdraw approval
        </button>
      )}
      <div className="step-more">
        {can('reject') && (
          <button
            type="button"
            className="button button-quiet"
            disabled={move.isPending}
            onClick={() => setAsking('reason')}
          >
            Reject…
          </button>
        )}
        {open.length > 0 && (
          <button type="button" className="button button-quiet" onClick={() => setAsking('manifests')}>
            Manifest, commands
          </button>
        )}
      </div>
      {asking === 'reason' && (
        <ReasonDialog
          ids={step.changes}
          onClose={close}
          onReject={(reason) => {
            close()
            move.mutate({ ...key, action: 'reject', reason })
          }}
        />
      )}
      {asking === 'manifests' && <ManifestDialog ids={open.map(({ id }) => id)} onClose={close} />}
    </div>
  )
}
