import type { BudgetPreview as Preview, CostScope } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { budgetPreviewQuery } from '../../api/queries.ts'
import type { RecurringPeriod } from '../../format/budget-form.ts'
import { dollars } from '../../format/money.ts'
import { count, number } from '../../format/quantity.ts'
import { useDebounced } from '../../parts/use-debounced.ts'
import { QueryState } from '../../parts/states.tsx'

type Props = {
  scope: CostScope
  share: boolean
  period: RecurringPeriod
  amount: number | undefined
  onUse: (amount: string) => void
}

/** The preview reads more than a year of cost, so it waits until the user stops typing. */
const pauseMs = 500

/** What the scope matches, the suggested amount, and how the past periods would have ended. */
export function BudgetPreview({ scope, share, period, amount, onUse }: Props) {
  // As text: a new object of equal content would start the pause again.
  const asked = useDebounced(JSON.stringify({ scope, share }), pauseMs)
  const counted = JSON.parse(asked) as { scope: CostScope; share: boolean }
  const preview = useQuery(budgetPreviewQuery({ ...counted, period }))
  return (
    <QueryState query={preview} what="The preview">
      {({ matches, suggested_amount: suggested, periods }) => (
        <div className="grid gap-2 text-ink-2">
          <p>
            {matches.workloads === 0
              ? 'No workload matches this scope today.'
              : `${number(matches.workloads)} workloads match, ${dollars(matches.usd_per_day)} in the last 24 hours.`}
          </p>
          {suggested !== null && (
            <p>
              Suggested per {period}: {dollars(suggested)}, the mean of the last three months plus 10 %.{' '}
              <button type="button" className="link" onClick={() => onUse(String(suggested))}>
                Use
              </button>
            </p>
          )}
          <PastPeriods periods={periods} period={period} amount={amount} />
        </div>
      )}
    </QueryState>
  )
}

type PastProps = { periods: Preview['periods']; period: RecurringPeriod; amount: number | undefined }

function PastPeriods({ periods, period, amount }: PastProps) {
  if (periods.length === 0) return <p>No complete {period} yet.</p>
  const over = periods.filter(({ usd }) => amount !== undefined && usd > amount).length
  return (
    <p>
      {amount !== undefined && `${over} of the last ${count(periods.length, period)} would have been over. `}
      {periods.map(({ key, usd }) => `${key}: ${dollars(usd)}`).join(' · ')}
    </p>
  )
}
