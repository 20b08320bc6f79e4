import type { PolicySettings } from '@plimsoll/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTurns } from '../../../api/in-turn.ts'
import { putPolicy, type PolicyScope } from '../../../api/policies.ts'
import { policiesQuery } from '../../../api/queries.ts'

type Run = (work: () => Promise<unknown>) => Promise<boolean>

export type PolicyEdit = (run: Run, change: (own: PolicySettings) => PolicySettings) => Promise<boolean>

/** Edits of one policy, one after the other; `run` shows what was wrong where it was asked for. */
export function usePolicyEdit(scope: PolicyScope): PolicyEdit {
  const queries = useQueryClient()
  const inTurn = useTurns()
  const { queryKey } = policiesQuery(scope.clusterId)
  return async (run, change) => {
    let isDone = false
    const edit = async () => (isDone = await run(() => putPolicy(queries, scope, change)))
    // Looked at again also when somebody else was faster: then theirs is shown.
    await inTurn(edit, () => queries.invalidateQueries({ queryKey }))
    return isDone
  }
}
