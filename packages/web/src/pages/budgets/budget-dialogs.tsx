import type { Budget } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { budgetHistoryQuery } from '../../api/queries.ts'
import { changeLines } from '../../format/budget-form.ts'
import { momentWithZone } from '../../format/time.ts'
import { DangerousActions, Dialog } from '../../parts/dialog.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'

type DeleteProps = { budget: Budget; onClose: () => void; onDeleted: () => void }

export function DeleteBudget({ budget, onClose, onDeleted }: DeleteProps) {
  const [failure, run] = useFailure()
  const remove = async () => {
    if (await run(() => api.deleteBudget({ params: { budget_id: budget.id }, ifMatch: budget.etag }))) onDeleted()
  }
  return (
    <Dialog title={`Delete ${budget.name}`} onClose={onClose}>
      <p>The budget, its past periods and its history are deleted, and its alerts are resolved. Cost data is kept.</p>
      {failure}
      <DangerousActions word="Delete budget" onDo={() => void remove()} onCancel={onClose} />
    </Dialog>
  )
}

type HistoryProps = { budget: Budget; nameOf: (id: string) => string; onClose: () => void }

export function BudgetHistory({ budget, nameOf, onClose }: HistoryProps) {
  const history = useQuery(budgetHistoryQuery(budget.id))
  return (
    <Dialog title={`History of ${budget.name}`} shape="list" onClose={onClose}>
      <QueryState query={history} what="The history">
        {({ changes }) => (
          <ul className="grid gap-4">
            {changes.map((change, index) => (
              <li key={index}>
                <p className="text-sm text-ink-3">
                  {momentWithZone(change.at)} · {change.by}
                </p>
                {changeLines(change, nameOf).map((line) => (
                  <p key={line}>{line}</p>
                ))}
                {change.reason !== null && <p className="text-ink-2">Reason: {change.reason}</p>}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <div className="mt-4">
        <button type="button" className="button button-quiet" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  )
}
