import type { BudgetStates as States } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { countWords, outlookLabels } from '../../format/budgets.ts'
import { dollars } from '../../format/money.ts'
import { Section } from '../../parts/section.tsx'
import { State } from '../../parts/state-tags.tsx'

/** How many budgets are on track, and the most certain excesses. Nothing is shown without a budget. */
export function BudgetStates({ budgets: { counts, exceeding } }: { budgets: States }) {
  if (Object.values(counts).every((count) => count === 0)) return null
  return (
    <Section title="Budgets" meta={countWords(counts)} end={<Link to="/budgets">All budgets</Link>}>
      {exceeding.length > 0 && (
        <ul className="grid gap-2">
          {exceeding.map(({ id, name, outlook, amount, spent, expected }) => (
            <li key={id} className="flex flex-wrap items-baseline gap-x-3">
              <State tone={outlookLabels[outlook].tone}>{outlookLabels[outlook].word}</State>
              <Link to="/budgets">{name}</Link>
              <span className="text-ink-2">
                {dollars(spent)} spent{expected !== null && `, ${dollars(expected)} expected`}, budget {dollars(amount)}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}
