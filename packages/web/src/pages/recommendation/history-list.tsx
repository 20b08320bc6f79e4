import type { RecommendationHistory } from '@plimsoll/contract'
import { historyWords } from '../../format/history-words.ts'
import { Instant } from '../../parts/instant.tsx'
import { Section } from '../../parts/section.tsx'

export function HistoryList({ history }: Pick<RecommendationHistory, 'history'>) {
  return (
    <Section title="History" end="newest first">
      <ol className="grid gap-2">
        {[...history].reverse().map((entry, index) => (
          <li key={`${entry.at} ${entry.action}`} className="grid grid-cols-[12px_1fr] gap-2">
            <span
              className={`mt-1.5 size-2 rounded-full border ${index === 0 ? 'border-accent bg-accent' : 'border-rule-strong'}`}
              aria-hidden="true"
            />
            <span>
              <b className="font-medium">{historyWords(entry)}</b>
              {entry.actor.email !== null && <span className="text-ink-2"> by {entry.actor.email}</span>}
              {entry.reason !== null && <span className="block text-ink-2">“{entry.reason}”</span>}
              <span className="block text-sm text-ink-3">
                <Instant at={entry.at} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </Section>
  )
}
