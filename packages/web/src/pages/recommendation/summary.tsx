import type { Evidence, RecommendationWithEvidence } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { rulesQuery } from '../../api/queries.ts'
import { deliveryWords } from '../../format/delivery.ts'
import { withUnits } from '../../format/quantity.ts'
import { Icon } from '../../parts/icon.tsx'
import { Section } from '../../parts/section.tsx'

const useRule = (ruleId: string) => useQuery(rulesQuery).data?.rules.find(({ id }) => id === ruleId)

export function Summary({ recommendation }: { recommendation: RecommendationWithEvidence }) {
  const rule = useRule(recommendation.rule_id)
  const { delivered_by: delivered } = recommendation
  return (
    <Section title="Summary">
      <p>{withUnits(recommendation.change.summary)}</p>
      {rule && <p className="mt-2 text-ink-2">{rule.description}</p>}
      {delivered && <p className="mt-2 text-ink-2 [overflow-wrap:anywhere]">{deliveryWords(delivered)}</p>}
    </Section>
  )
}

export function Doubts({ evidence: { caveats, confidence } }: { evidence: Evidence }) {
  return (
    <>
      <Sentences title="Caveats" all={caveats} />
      <Sentences title="Confidence" end={confidence.level} all={confidence.reasons} />
    </>
  )
}

function Sentences({ title, end, all }: { title: string; end?: string; all: readonly string[] }) {
  if (all.length === 0) return null
  return (
    <Section title={title} {...(end === undefined ? {} : { end })}>
      <ul className="grid gap-1.5 text-ink-2">
        {all.map((each) => (
          <li key={each}>{withUnits(each)}</li>
        ))}
      </ul>
    </Section>
  )
}

export function Guards({ evidence: { checks } }: { evidence: Evidence }) {
  if (checks.length === 0) return null
  return (
    <Section title="Safety checks">
      <ul className="grid gap-1.5 text-ink-2">
        {checks.map(({ check, found, passed }) => (
          <li key={check} className="flex gap-2">
            <span className={passed ? 'pt-0.5 text-ok' : 'pt-0.5 text-ink-3'}>
              <Icon name={passed ? 'check' : 'alert'} />
            </span>
            <span>
              {withUnits(check)}: {withUnits(found)}
              {passed === null && ' (not checked)'}
              {passed === false && ' (failed)'}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
