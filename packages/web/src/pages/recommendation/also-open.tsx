import type { Recommendation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { ruleName } from '../../format/labels.ts'
import { ChangeText } from '../../parts/change-text.tsx'
import { Section } from '../../parts/section.tsx'

/** Other open recommendations for the same workload. */
export function AlsoOpen({ others }: { others: readonly Recommendation[] }) {
  if (others.length === 0) return null
  return (
    <Section title="Also open for this workload">
      <ul className="grid gap-2">
        {others.map((other) => (
          <li key={other.id}>
            <Link to="/recommendations/$id" params={{ id: other.id }} className="link">
              {ruleName(other)}
            </Link>
            <span className="ml-2 text-sm">
              <ChangeText of={other} />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
