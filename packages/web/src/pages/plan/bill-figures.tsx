import type { ReactNode } from 'react'
import type { ShownPlan } from '../../api/shown-plan.ts'
import type { BillSteps } from '../../format/money.ts'
import { plannedWords } from '../../format/plan-words.ts'
import { number, signedPercent } from '../../format/quantity.ts'

/** The bill now and after all steps, and the number of removed nodes. */
export function BillFigures({ plan, bill }: { plan: ShownPlan; bill: BillSteps }) {
  const removed = plan.steps.flatMap(({ nodes }) => nodes).filter(({ replaced_by: by }) => by === null).length
  const share = plan.run_rate === null || plan.run_rate === 0 ? null : -plan.savings / plan.run_rate
  const end = bill.after.at(-1)
  return (
    <div className="plan-figures">
      {bill.now !== null && (
        <Figure name="Run rate now" isLarge>
          {bill.now}
        </Figure>
      )}
      {end && (
        <Figure name="Bill after all steps" isLarge tone="text-accent">
          {end}
        </Figure>
      )}
      <Figure
        name={`Bankable savings of ${plannedWords(plan.steps)}`}
        unit={share === null ? '/month' : `/month, ${signedPercent(share)}`}
      >
        {bill.total}
      </Figure>
      {removed > 0 && (
        <Figure name="Nodes removed" unit="">
          {number(removed)}
        </Figure>
      )}
    </div>
  )
}

type FigureProps = { name: string; isLarge?: boolean; tone?: string; unit?: string; children: ReactNode }

function Figure({ name, isLarge = false, tone = '', unit = '/month', children }: FigureProps) {
  return (
    <div>
      <span className="block text-sm text-ink-3">{name}</span>
      <span className={`${isLarge ? 'fig' : 'fig-2'} ${tone}`}>
        {children}
        <span className="unit">{unit}</span>
      </span>
    </div>
  )
}
