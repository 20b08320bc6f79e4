import type { Overview, Recommendation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { dollars } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { ruleName } from '../../format/labels.ts'
import { Bankable } from '../../parts/bankable.tsx'
import { ChangeText, targetName } from '../../parts/change-text.tsx'
import { Section } from '../../parts/section.tsx'
import { Message } from '../../parts/states.tsx'
import { keepCluster } from '../../shell/menu-pages.ts'
import { nameIn } from './name-in.ts'

/** The longest section of its row: in two columns the others are stacked beside it. */
const besideTheOthers = 'mid:row-span-2 wide:row-span-1'

export function Advice({ overview }: { overview: Overview }) {
  const { recommendations: advice } = overview
  if (!advice) {
    return (
      <Section title="Top recommendations" className={besideTheOthers}>
        <Message icon="lock" title="Recommendations require recommendations:read" />
      </Section>
    )
  }
  const nameOf = nameIn(overview)
  const { bankable_savings: bankable, estimated_savings: estimated } = advice
  return (
    <Section
      title="Top recommendations"
      className={besideTheOthers}
      meta={advice.approved > 0 ? `${advice.open} open, ${advice.approved} approved` : `${advice.open} open`}
      end={
        bankable === null ? (
          <>
            <b className="text-ink">{dollars(estimated)}</b> estimated
          </>
        ) : (
          <>
            <b className="text-ink">{dollars(bankable)}</b> bankable, {dollars(estimated)} estimated, of {advice.open}{' '}
            open
          </>
        )
      }
    >
      {advice.open === 0 && (
        <Message icon="search" title="No open recommendations">
          {advice.withheld > 0
            ? `${count(advice.withheld, 'recommendation is', 'recommendations are')} withheld: history or data is missing.`
            : 'Recommendations appear when the analysis has enough usage history.'}
        </Message>
      )}
      <ul>
        {advice.top.map((each) => (
          <AdviceRow key={each.id} recommendation={each} clusterName={nameOf(each.cluster_id)} />
        ))}
      </ul>
      {advice.open > 0 && (
        <Link to="/recommendations" search={keepCluster} className="button mt-3">
          Review all {advice.open}
        </Link>
      )}
    </Section>
  )
}

/** The whole row links to the recommendation; only the amount opens its explanation. */
function AdviceRow({ recommendation, clusterName }: { recommendation: Recommendation; clusterName: string }) {
  const { id } = recommendation
  return (
    <li className="linked-row relative flex items-baseline justify-between gap-3 border-b border-rule py-1.5">
      <span className="min-w-0">
        <span className="block truncate">
          <Link to="/recommendations/$id" params={{ id }} search={keepCluster} className="row-link">
            {targetName(recommendation).main}
          </Link>{' '}
          <span className="text-ink-3 max-phone:block">{clusterName}</span>
        </span>
        <span className="flowing-change line-clamp-3 text-sm text-ink-2">
          {ruleName(recommendation)} · <ChangeText of={recommendation} />
        </span>
      </span>
      <span className="text-right whitespace-nowrap">
        <SavingOf recommendation={recommendation} />
      </span>
    </li>
  )
}

function beside(bankable: number | null, estimated: number): string {
  if (bankable === null) return 'estimated'
  return `${dollars(estimated)} estimated`
}

function SavingOf({ recommendation }: { recommendation: Recommendation }) {
  const { bankable_savings: bankable, estimated_savings: estimated } = recommendation
  if (bankable === null && estimated === 0) return <span className="text-sm text-ink-3">no savings</span>
  return (
    <>
      <b className="font-medium">
        <Bankable of={recommendation}>{dollars(bankable ?? estimated)}</Bankable>
      </b>
      <span className="block text-sm text-ink-3">{beside(bankable, estimated)}</span>
    </>
  )
}
