import type { PlanSummary } from '@plimsoll/contract'
import { Staircase, type TreadWords } from '../../charts/staircase.tsx'
import type { BillSteps } from '../../format/money.ts'
import { stepKindWords } from '../../format/plan-words.ts'
import { count } from '../../format/quantity.ts'

type Tread = Pick<PlanSummary['steps'][number], 'place' | 'kind' | 'changes' | 'savings' | 'run_rate_after'>
type Props = { steps: readonly Tread[]; runRate: number; bill: BillSteps }

/** The steps as a staircase of the monthly bill. */
export function PlanStairs({ steps, runRate, bill }: Props) {
  const now: TreadWords = { name: 'Now', below: 'run rate', change: '', bill: bill.now ?? '', isCost: false }
  const words = steps.map((step, index): TreadWords => ({
    name: `${step.place} ${stepKindWords[step.kind]}`,
    below: count(step.changes, 'change'),
    change: bill.changes[index] ?? '',
    bill: bill.after[index] ?? '',
    isCost: step.savings < 0,
    isFree: step.savings === 0,
  }))
  const bills = steps.map(({ run_rate_after: after }) => after ?? runRate)
  const label = `Monthly bill: ${bill.now} now, ${words.map((each, index) => `${each.bill} after step ${index + 1}`).join(', ')}`
  return <Staircase runRate={runRate} bills={bills} words={[now, ...words]} label={label} />
}
