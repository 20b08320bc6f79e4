import type { RecommendationHistory } from '@plimsoll/contract'
import type { UseQueryResult } from '@tanstack/react-query'
import { day, utc } from '../../format/time.ts'
import { Section } from '../../parts/section.tsx'
import { Loading, QueryState } from '../../parts/states.tsx'

export function HistoryList({ query }: { query: UseQueryResult<RecommendationHistory> }) {
  return (
    <Section title="History" end="newest first">
      <QueryState query={query} what="The history" loading={<Loading rows={2} />}>
        {({ history }) => (
          <ol className="grid gap-2">
            {[...history].reverse().map((entry, index) => (
              <li key={`${entry.at} ${entry.action}`} className="grid grid-cols-[80px_12px_1fr] gap-2">
                <span className="text-sm text-ink-3" title={utc(entry.at)}>
                  {day(entry.at)}
                </span>
                <span
                  className={`mt-1.5 size-2 rounded-full border ${index === 0 ? 'border-accent bg-accent' : 'border-rule-strong'}`}
                  aria-hidden="true"
                />
                <span>
                  <b className="font-medium">{entry.action}</b>, {entry.to_status}
                  {entry.actor.email !== null && <span className="text-ink-2"> by {entry.actor.email}</span>}
                  {entry.reason !== null && <span className="block text-ink-2">“{entry.reason}”</span>}
                </span>
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </Section>
  )
}
