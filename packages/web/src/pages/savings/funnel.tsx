import type { Savings } from '@plimsoll/contract'
import { dollars, exactDollars, sumDollars } from '../../format/money.ts'
import { month } from '../../format/time.ts'
import { Explained } from '../../parts/explained.tsx'
import { State } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { hasMoney } from './has-money.ts'
import { RealizedSavings } from './realized-savings.tsx'

const stages = [
  {
    key: 'estimated',
    banked: 'bankable',
    word: 'Recommended',
    set: 'open, approved, implemented',
    how: 'Open, approved and implemented recommendations, each change counted once. Rejected, superseded and expired recommendations are not included.',
  },
  {
    key: 'approved',
    banked: 'approved_bankable',
    word: 'Approved',
    set: undefined,
    how: 'Recommendations that were approved and not rejected later.',
  },
  {
    key: 'implemented',
    banked: 'implemented_bankable',
    word: 'Implemented',
    set: undefined,
    how: 'Recommendations that were marked as implemented.',
  },
] as const

type Stage = (typeof stages)[number]

/** From recommended to observed savings, all in dollars per month, so that the bars are comparable. */
export function Funnel({ savings }: { savings: Savings }) {
  const { total } = savings
  const max = Math.max(...stages.flatMap(({ key, banked }) => [total[key], total[banked]]), total.observed, 1)
  return (
    <Section title="Savings funnel" meta={windowOf(savings)}>
      <ul className="grid gap-2.5">
        {stages.map((stage) => (
          <StageRow key={stage.key} stage={stage} total={total} max={max} />
        ))}
        <Observed total={total} max={max} />
      </ul>
      {total.reverted > 0 && (
        <p className="mt-3">
          <State tone="danger" icon="undo">
            {dollars(total.reverted)}/month of implemented savings was reverted
          </State>
        </p>
      )}
      <RealizedSavings verified={total.verified} />
    </Section>
  )
}

/** The months with data. */
function windowOf({ rows, to }: Savings): string {
  const known = rows.filter(hasMoney).flatMap((row) => row.month ?? [])
  const [first = to] = known
  return first === to ? month(to) : `${month(first)} to ${month(to)}`
}

/** Negative savings have no bar. */
const widthOf = (usd: number, max: number) => `${Math.max(0, (100 * usd) / max)}%`

type StageProps = { stage: Stage; total: Savings['total']; max: number }

/** Estimated and bankable savings of a stage. Bankable can exceed estimated: removed nodes include unallocated capacity. */
function StageRow({ stage: { key, banked, word, set, how }, total, max }: StageProps) {
  const [estimated, leaves] = [total[key], total[banked]]
  return (
    <li>
      <p className="stage">
        <span>
          {word}
          {set !== undefined && <span className="block text-sm text-ink-3">{set}</span>}
        </span>
        <Explained
          title={`${word}: ${exactDollars(leaves)}/month bankable`}
          how={how}
          parts={[
            { name: 'Bankable: amount by which the bill drops when nodes are removed', usd: leaves },
            { name: 'Estimated: value of the freed requests', usd: estimated },
            ...leftOut(key, total),
          ]}
          note="Removed nodes include unallocated capacity, so bankable can exceed estimated."
        >
          <b>{dollars(leaves)}/month</b> bankable
        </Explained>
        <span className="text-ink-2">{dollars(estimated)}/month estimated</span>
      </p>
      {key === 'estimated' && total.left_out > 0 && (
        <p className="text-sm text-ink-3">
          Excludes {dollars(total.left_out)}/month of reverted changes and of older recommendations for the same object.
        </p>
      )}
      <div className="mt-0.5 grid gap-px bg-sunken" aria-hidden="true">
        <div className="h-2 bg-[var(--ink-2)]" style={{ width: widthOf(leaves, max) }} />
        <div className="h-2 bg-[var(--unallocated)]" style={{ width: widthOf(estimated, max) }} />
      </div>
    </li>
  )
}

/** In the colour of the estimates, because both use the same prices. */
function Observed({ total, max }: Omit<StageProps, 'stage'>) {
  return (
    <li>
      <p className="stage">
        <span>Observed</span>
        <Explained
          title={`Observed: ${exactDollars(total.observed)}/month`}
          how="The part of implemented and resolved changes that is currently in effect, valued at node prices. Changes that are not observed or reverted count as $0."
          note="Observed and estimated savings are comparable: both are the value of freed requests. Bankable savings are the price of whole nodes."
        >
          <b>{sumDollars(total.observed)}/month</b> observed (value of freed requests)
        </Explained>
      </p>
      <div className="mt-0.5 bg-sunken" aria-hidden="true">
        <div className="h-2 bg-[var(--unallocated)]" style={{ width: widthOf(total.observed, max) }} />
      </div>
    </li>
  )
}

/** The difference between this stage and the total of the list. */
const leftOut = (key: Stage['key'], { left_out: left }: Savings['total']) =>
  key === 'estimated' && left > 0
    ? [{ name: 'Not included: reverted, or replaced by a newer recommendation', usd: left }]
    : []
