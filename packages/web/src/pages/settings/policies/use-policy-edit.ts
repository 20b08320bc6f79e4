import type { PolicySettings } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTurns } from '../../../api/in-turn.ts'
import { putPolicy, type PolicyScope } from '../../../api/policies.ts'
import { policiesQuery } from '../../../api/queries.ts'
import { useToast } from '../../../parts/toast.tsx'

type Run = (work: () => Promise<unknown>) => Promise<boolean>

export type PolicyEdit = (run: Run, change: (own: PolicySettings) => PolicySettings) => Promise<boolean>

const dropped = 'Your last change was not made: the one before it failed.'

/** Edits of one policy, one after the other; `run` shows what was wrong where it was asked for. */
export function usePolicyEdit(scope: PolicyScope): PolicyEdit {
  const queries = useQueryClient()
  const inTurn = useTurns()
  const toast = useToast()
  const { queryKey } = policiesQuery(scope.clusterId)
  return async (run, change) => {
    const edit = () => run(() => putPolicy(queries, scope, change))
    // Looked at again also when somebody else was faster: then theirs is shown.
    const outcome = await inTurn(edit, () => queries.invalidateQueries({ queryKey }))
    // Beside what `run` shows of the one before, which is often in the same place.
    if (outcome === 'dropped') toast({ text: dropped })
    return outcome === 'done'
  }
}
