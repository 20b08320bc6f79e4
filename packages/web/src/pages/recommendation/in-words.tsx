import type { RecommendationWithEvidence } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { rulesQuery } from '../../api/queries.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'

export function InWords({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const { data } = useQuery(rulesQuery)
  const rule = data?.rules.find(({ id }) => id === recommendation.rule_id)
  const { evidence, change } = recommendation
  return (
    <>
      <Section title="In words">
        <p className="font-medium">{recommendation.title}.</p>
        <p className="mt-1 text-ink-2">{change.summary}</p>
        {rule && <p className="mt-2 text-ink-2">{rule.description}</p>}
      </Section>
      {evidence && (evidence.caveats.length > 0 || evidence.confidence.reasons.length > 0) && (
        <Section title="What could make it wrong" end={`${evidence.confidence.level} confidence`}>
          <ul className="grid gap-1.5 text-ink-2">
            {[...evidence.caveats, ...evidence.confidence.reasons].map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
        </Section>
      )}
      {evidence && evidence.checks.length > 0 && (
        <Section title="Guards" end="what was checked, and what was found">
          <ul className="grid gap-1.5 text-ink-2">
            {evidence.checks.map(({ check, found, passed }) => (
              <li key={check} className="flex gap-2">
                <span className={passed ? 'pt-0.5 text-ok' : 'pt-0.5 text-ink-3'}>
                  <Icon name={passed ? 'check' : 'alert'} />
                </span>
                <span>
                  {check}: {found}
                  {passed === null && ' (could not be checked)'}
                  {passed === false && ' (does not hold)'}
                </span>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
