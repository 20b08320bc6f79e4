import type { Evidence, RecommendationWithEvidence } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { rulesQuery } from '../../api/queries.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'

const useRule = (ruleId: string) => useQuery(rulesQuery).data?.rules.find(({ id }) => id === ruleId)

export function InWords({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const rule = useRule(recommendation.rule_id)
  return (
    <Section title="In words">
      <p className="font-medium">{recommendation.title}.</p>
      <p className="mt-1 text-ink-2">{recommendation.change.summary}</p>
      {rule && <p className="mt-2 text-ink-2">{rule.description}</p>}
    </Section>
  )
}

export function Doubts({ evidence: { caveats, confidence } }: { evidence: Evidence }) {
  const doubts = [...caveats, ...confidence.reasons]
  if (doubts.length === 0) return null
  return (
    <Section title="What could make it wrong" end={`${confidence.level} confidence`}>
      <ul className="grid gap-1.5 text-ink-2">
        {doubts.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </Section>
  )
}

export function Guards({ ruleId }: { ruleId: string }) {
  const rule = useRule(ruleId)
  if (!rule || rule.guards.length === 0) return null
  return (
    <Section title="Guards" end="what keeps this rule silent">
      <ul className="grid gap-1.5 text-ink-2">
        {rule.guards.map((guard) => (
          <li key={guard} className="flex gap-2">
            <span className="pt-0.5 text-ok">
              <Icon name="check" />
            </span>
            {guard}
          </li>
        ))}
      </ul>
    </Section>
  )
}
