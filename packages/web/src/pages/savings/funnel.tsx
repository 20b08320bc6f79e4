import type { Savings } from '@plimsoll/contract'
import { dollars, exactDollars, sumDollars } from '../../format/money.ts'
import { month } from '../../format/time.ts'
import { Explained } from '../../parts/explained.tsx'
import { State } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { hasMoney } from './has-money.ts'
import { WhatCameOfIt } from './what-came-of-it.tsx'

const stages = [
  {
    key: 'estimated',
    banked: 'bankable',
    word: 'Found',
    how: 'Of what is open, approved or done, each thing once. What was rejected, replaced or has expired is not counted, nor a second time what was undone and is found again.',
  },
  {
    key: 'approved',
    banked: 'approved_bankable',
    word: 'Approved',
    how: 'Of what somebody approved and nobody rejected since.',
  },
  { key: 'implemented', banked: 'implemented_bankable', word: 'Implemented', how: 'Of what somebody marked as done.' },
] as const

type Stage = (typeof stages)[number]

/** From advice to what is seen of it: all of it dollars a month, so that bars can be compared. */
export function Funnel({ savings }: { savings: Savings }) {
  const { total } = savings
  const max = Math.max(...stages.flatMap(({ key, banked }) => [total[key], total[banked]]), total.observed, 1)
  return (
    <Section title="From advice to money" meta={windowOf(savings)}>
      <ul className="grid gap-2.5">
        {stages.map((stage) => (
          <StageRow key={stage.key} stage={stage} total={total} max={max} />
        ))}
        <Observed total={total} max={max} />
      </ul>
      {total.reverted > 0 && (
        <p className="mt-3">
          <State tone="danger" icon="undo">
            {dollars(total.reverted)}/mo of what was done was undone again
          </State>
        </p>
      )}
      <WhatCameOfIt verified={total.verified} />
    </Section>
  )
}

/** Named by what is there: a year of which eleven months are empty says nothing. */
function windowOf({ rows, to }: Savings): string {
  const known = rows.filter(hasMoney).flatMap((row) => row.month ?? [])
  const [first = to] = known
  return first === to ? month(to) : `${month(first)} to ${month(to)}`
}

/** What costs instead of saving has no bar: one cannot be shorter than none. */
const widthOf = (usd: number, max: number) => `${Math.max(0, (100 * usd) / max)}%`

type StageProps = { stage: Stage; total: Savings['total']; max: number }

/** What is estimated, and below it what of that leaves the bill: with the idle room on nodes that go it can be more. */
function StageRow({ stage: { key, banked, word, how }, total, max }: StageProps) {
  const [estimated, leaves] = [total[key], total[banked]]
  return (
    <li>
      <p className="stage">
        <span>{word}</span>
        <Explained
          title={`${word}: ${exactDollars(leaves)} a month would leave the bill`}
          how={how}
          parts={[
            { name: 'Bankable: leaves the bill with whole nodes', usd: leaves },
            { name: 'Estimated: what is asked for less', usd: estimated },
            ...leftOut(key, total),
          ]}
          note="Idle room goes with whole nodes, so more can leave the bill than was estimated."
        >
          <b>{dollars(leaves)}/mo</b> bankable
        </Explained>
        <span className="text-ink-2">{dollars(estimated)}/mo estimated</span>
      </p>
      {key === 'estimated' && total.left_out > 0 && (
        <p className="text-sm text-ink-3">
          Without {dollars(total.left_out)}/mo that was undone or found a second time: each thing counts once.
        </p>
      )}
      <div className="mt-0.5 grid gap-px bg-sunken" aria-hidden="true">
        <div className="h-2 bg-[var(--ink-2)]" style={{ width: widthOf(leaves, max) }} />
        <div className="h-2 bg-[var(--unasked)]" style={{ width: widthOf(estimated, max) }} />
      </div>
    </li>
  )
}

/** In the colour of the estimates: it is what became of them, at the same prices. */
function Observed({ total, max }: Omit<StageProps, 'stage'>) {
  return (
    <li>
      <p className="stage">
        <span>Observed</span>
        <Explained
          title={`Observed: ${exactDollars(total.observed)} a month`}
          how="What the clusters show now of all that was done: what is asked for less, at the price of the nodes. What was not seen, or was undone, counts as nothing."
          note="Compare it with what was estimated, not with what is bankable: those are prices of requests, this is what whole nodes cost."
        >
          <b>{sumDollars(total.observed)}/mo</b> asked for less
        </Explained>
      </p>
      <div className="mt-0.5 bg-sunken" aria-hidden="true">
        <div className="h-2 bg-[var(--unasked)]" style={{ width: widthOf(total.observed, max) }} />
      </div>
    </li>
  )
}

/** With it, Found is what the open, the approved and the done ones in the list come to. */
const leftOut = (key: Stage['key'], { left_out: left }: Savings['total']) =>
  key === 'estimated' && left > 0 ? [{ name: 'Undone, or found a second time: not in it', usd: left }] : []
