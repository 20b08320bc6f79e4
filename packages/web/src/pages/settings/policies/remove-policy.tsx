import type { PolicySettings } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { isConflict } from '../../../api/client.ts'
import { putPolicy, type PolicyScope } from '../../../api/policies.ts'
import { policiesQuery } from '../../../api/queries.ts'
import { useFailure } from '../../../parts/states.tsx'
import { useToast } from '../../../parts/toast.tsx'

type Props = { scope: PolicyScope; own: PolicySettings; onDone: () => void }

/** Removes the policy of a namespace, which then follows its cluster. */
export function RemovePolicy({ scope, own, onDone }: Props) {
  const queries = useQueryClient()
  const toast = useToast()
  const [failure, run] = useFailure()
  const lookAgain = () => queries.invalidateQueries({ queryKey: policiesQuery(scope.clusterId).queryKey })
  const putBack = () =>
    putPolicy(queries, scope, () => own)
      .catch((error: unknown) => toast({ text: notPutBack(error) }))
      .finally(() => void lookAgain())
  const takeAway = async () => {
    const isGone = await run(() => putPolicy(queries, scope, () => ({})))
    await lookAgain()
    if (!isGone) return
    toast({ text: `Namespace ${scope.namespace ?? ''} now uses the cluster policy.`, undo: () => void putBack() })
    onDone()
  }
  return (
    <>
      {failure}
      <button type="button" className="button button-small" onClick={() => void takeAway()}>
        Remove namespace policy
      </button>
    </>
  )
}

function notPutBack(error: unknown): string {
  if (isConflict(error)) return 'Undo failed: another user changed the policy in the meantime.'
  return error instanceof Error ? `Undo failed. ${error.message}` : 'Undo failed.'
}
