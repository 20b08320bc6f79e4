import type { PolicySettings } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { isConflict } from '../../../api/client.ts'
import { putPolicy, type PolicyScope } from '../../../api/policies.ts'
import { policiesQuery } from '../../../api/queries.ts'
import { useFailure } from '../../../parts/states.tsx'
import { useToast } from '../../../parts/toast.tsx'

type Props = { scope: PolicyScope; own: PolicySettings; onDone: () => void }

/** Then the policy of the cluster holds there again. */
export function TakeAway({ scope, own, onDone }: Props) {
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
    toast({ text: `${scope.namespace ?? ''} follows the cluster again.`, undo: () => void putBack() })
    onDone()
  }
  return (
    <>
      {failure}
      <button type="button" className="button button-small" onClick={() => void takeAway()}>
        Follow the cluster again
      </button>
    </>
  )
}

function notPutBack(error: unknown): string {
  if (isConflict(error)) return 'It could not be put back: somebody has set another one meanwhile.'
  return error instanceof Error ? `It could not be put back. ${error.message}` : 'It could not be put back.'
}
