import type { Overview } from '@plimsoll/contract'
import { addedUp, change } from '../../format/money.ts'
import { signedPercent } from '../../format/quantity.ts'
import { Explained } from '../../parts/explained.tsx'
import { Icon } from '../../parts/icon.tsx'
import { lowerFirst } from '../../parts/money-bar.tsx'
import { PartlyUnpriced, unpricedWords } from '../../shell/partly-unpriced.tsx'
import { Section } from '../../parts/section.tsx'
import { notCompared } from './not-compared.ts'
import { partsByCluster } from './parts-by-cluster.ts'

type Part = Overview['run_rate']['unpriced_parts'][number]

const partNames: Record<Part, string> = {
  compute: 'Compute',
  storage: 'Storage',
  load_balancer: 'Load balancers',
  overhead: 'Control planes',
}

export function RunRate({ overview }: { overview: Overview }) {
  const { run_rate: rate, week, clusters } = overview
  const parts = (Object.keys(partNames) as Part[]).map((part) => ({ name: partNames[part], value: rate[part] }))
  const unpriced = rate.unpriced_parts.map((part) => partNames[part])
  const moved = week && week.before > 0 ? (week.now - week.before) / week.before : 0
  const without = notCompared(overview)
  const { parts: amounts, total } = addedUp(parts.map(({ value }) => value))
  return (
    <Section title="Run rate" end="mean of the last 24 complete hours × 730">
      <p className="fig">
        <Explained
          title={`${total}/month`}
          how="Mean of the last 24 complete hours × 730, per cluster. Clusters with fewer complete hours use list prices × 730."
          parts={partsByCluster(clusters, ({ monthly_cost: cost }) => cost)}
          sum="Total"
          note={[
            'Network traffic is not measured.',
            ...(unpriced.length > 0 ? [unpricedWords(unpriced.map(lowerFirst))] : []),
          ].join(' ')}
        >
          {total}
        </Explained>
        <span className="unit">/month</span>
      </p>
      {unpriced.length > 0 && (
        <p className="mt-1">
          <PartlyUnpriced parts={unpriced.map(lowerFirst)} />
        </p>
      )}
      {week && (
        <p className="mt-1">
          {Math.abs(moved) < 0.0005 ? (
            'unchanged from last week'
          ) : (
            <>
              <b>{change(week.now - week.before)}</b> ({signedPercent(moved)}) vs. last week
            </>
          )}
          {without !== '' && <span className="text-ink-3">, {without}</span>}
        </p>
      )}
      <dl className="mt-3 grid grid-cols-[1fr_auto] gap-y-0.5 text-ink-2">
        {parts.map(({ name }, index) => (
          <div key={name} className="contents">
            <dt className="flex items-center gap-1.5">
              {name}
              {unpriced.includes(name) && (
                <span className="tone-warn" title="Some resources not priced">
                  <Icon name="warn" />
                  <span className="sr-only">some resources not priced</span>
                </span>
              )}
            </dt>
            <dd className="text-right text-ink">{amounts[index]}</dd>
          </div>
        ))}
        <div className="col-span-2 my-1 border-t border-rule-strong" />
        <dt className="text-ink-3">Network traffic</dt>
        <dd className="text-right text-ink-3">not measured</dd>
      </dl>
    </Section>
  )
}
