import type { PlanStepMember } from '@plimsoll/contract'
import { useState } from 'react'
import type { ShownStep } from '../../api/shown-plan.ts'
import { useCopyCommands, useMoveStep } from '../../parts/moves.ts'
import { Icon } from '../../parts/icon.tsx'
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
  const isOpen = ({ status }: PlanStepMember) => status === 'pending' || status === 'approved'
  const ids = step.recommendations.filter(isOpen).map(({ id }) => id)
  const { manifests, commands } = step.runnable
  const hasCommands = commands > 0 || (step.kind === 'free' && step.nodes.length > 0)
  const copy = useCopyCommands()
  return (
    <div className="step-actions">
      <div className="step-decisions">
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
      </div>
      <div className="step-more">
        {hasCommands && (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => void copy({ ids, step: key }, manifests + commands)}
          >
            <Icon name="copy" />
            Copy commands
          </button>
        )}
        {ids.length > 0 && (
          <button type="button" className="button button-quiet" onClick={() => setAsking('manifests')}>
            {manifests > 0 ? 'Open manifest' : 'Show commands'}
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
      {asking === 'manifests' && (
        <ManifestDialog source={{ ids, step: key }} of={manifests + commands} onClose={close} />
      )}
    </div>
  )
}
