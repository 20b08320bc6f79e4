import type { CountedTeam } from '@plimsoll/contract'
import { api } from '../../../api/client.ts'
import { DangerousActions, Dialog } from '../../../parts/dialog.tsx'
import { useFailure } from '../../../parts/states.tsx'

type Props = { team: CountedTeam; onClose: () => void; onDeleted: () => Promise<void> }

export function DeleteTeam({ team, onClose, onDeleted }: Props) {
  const [failure, run] = useFailure()
  const remove = async () => {
    if (await run(() => api.deleteTeam({ params: { team: team.name }, ifMatch: team.etag }))) await onDeleted()
  }
  return (
    <Dialog title={`Delete team ${team.name}`} onClose={onClose}>
      <p>
        The contact and the cost center are deleted. This is possible once no mapping rule, sign-in rule, role, budget
        or channel names the team.
      </p>
      <p className="mt-2 text-ink-2">
        If workloads still have a label of the team, the team appears again. Saved views of the team stay.
      </p>
      {failure}
      <DangerousActions word="Delete team" onDo={() => void remove()} onCancel={onClose} />
    </Dialog>
  )
}
