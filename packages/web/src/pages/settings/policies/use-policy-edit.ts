import type { PolicySettings } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTurns } from '../../../api/in-turn.ts'
import { putPolicy, type PolicyScope } from '../../../api/policies.ts'
import { policiesQuery } from '../../../api/queries.ts'
import { useToast } from '../../../parts/toast.tsx'

type Run = (work: () => Promise<unknown>) => Promise<boolean>

export type PolicyEdit = (run: Run, change: (own: PolicySettings) => PolicySettings) => Promise<boolean>

const dropped = 'The last change was not saved, because an earlier change failed.'

/** Edits of one policy in sequence; `run` shows errors beside the control. */
export function usePolicyEdit(scope: PolicyScope): PolicyEdit {
  const queries = useQueryClient()
  const inTurn = useTurns()
  const toast = useToast()
  const { queryKey } = policiesQuery(scope.clusterId)
  return async (run, change) => {
    const edit = () => run(() => putPolicy(queries, scope, change))
    // Reloaded after a conflict too, to show the change of the other user.
    const outcome = await inTurn(edit, () => queries.invalidateQueries({ queryKey }))
    // As a toast, because `run` shows the error of the previous change.
    if (outcome === 'dropped') toast({ text: dropped })
    return outcome === 'done'
  }
}
